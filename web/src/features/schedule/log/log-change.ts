import type { LogEditBody, LogProgramme } from '@looptide/contracts/http/log'
import type { Video } from '@looptide/contracts/http/videos'

/** A change of the log whose video or other programme is still to be chosen. `before` is null: play next. */
export type OpenChange =
  | { action: 'insert'; before: LogProgramme | null }
  | { action: 'swap'; programme: LogProgramme }
  | { action: 'move'; programme: LogProgramme }

/** A change of the log of which all is known. */
export type LogChangeRequest =
  | { action: 'insert'; video: Pick<Video, 'id' | 'title' | 'artistName'>; before: LogProgramme | null }
  | { action: 'skip'; programme: LogProgramme }
  | { action: 'swap'; programme: LogProgramme; other: LogProgramme }
  | { action: 'move'; programme: LogProgramme; before: LogProgramme | null }

/** A change as the server reads it. */
export function bodyOf(change: LogChangeRequest): LogEditBody {
  switch (change.action) {
    case 'insert':
      return { action: 'insert', videoId: change.video.id, ...placeOf(change.before) }
    case 'skip':
      return { action: 'skip', programmeId: change.programme.programmeId }
    case 'swap':
      return {
        action: 'swap',
        programmeId: change.programme.programmeId,
        with: change.other.programmeId,
      }
    case 'move':
      return { action: 'move', programmeId: change.programme.programmeId, ...placeOf(change.before) }
  }
}

const placeOf = (before: LogProgramme | null) => (before ? { before: before.programmeId } : {})

/**
 * The same change of a log that was planned again, which gives programmes new ids. Undefined if one of its programmes no
 * longer airs at its time.
 */
export function changeIn(
  programmes: readonly LogProgramme[],
  change: LogChangeRequest,
): LogChangeRequest | undefined {
  const find = (known: LogProgramme) =>
    programmes.find(({ startsAt, videoId }) => startsAt === known.startsAt && videoId === known.videoId)
  if (change.action === 'insert') {
    const before = change.before && find(change.before)
    return before === undefined ? undefined : { ...change, before }
  }
  const programme = find(change.programme)
  if (programme === undefined) return undefined
  if (change.action === 'skip') return { ...change, programme }
  if (change.action === 'swap') {
    const other = find(change.other)
    return other && { ...change, programme, other }
  }
  const before = change.before && find(change.before)
  return before === undefined ? undefined : { ...change, programme, before }
}

/** The programme that follows one and can be changed; undefined if there is none. */
export function nextChangeable(
  programmes: readonly LogProgramme[],
  { programmeId }: LogProgramme,
): LogProgramme | undefined {
  const index = programmes.findIndex((programme) => programme.programmeId === programmeId)
  return index < 0 ? undefined : programmes.slice(index + 1).find(({ isChangeable }) => isChangeable)
}
