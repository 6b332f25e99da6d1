import type { Video } from '@looptide/contracts/http/videos'
import { formatPosition } from '@looptide/playhead/duration'
import { MIN_PLAYED_MS } from '@looptide/playhead/trim'
import { typedPosition, type VideoFields } from './video-fields.ts'

type TrimFields = Pick<VideoFields, 'startAt' | 'endAt'>
interface Problem {
  field: keyof TrimFields
  text: string
}

const FORMAT = 'Enter a time such as 1:05 or 1:05.500.'

/** What is wrong with the trim points of a form; undefined if they can be saved for this video. */
export function trimProblem(
  { startAt, endAt }: TrimFields,
  { durationMs, durationAssumed }: Pick<Video, 'durationMs' | 'durationAssumed'>,
): Problem | undefined {
  const startMs = startAt.trim() === '' ? 0 : typedPosition(startAt)
  if (startMs === undefined) return { field: 'startAt', text: FORMAT }
  const mediaEndMs = durationAssumed ? Number.POSITIVE_INFINITY : durationMs
  const endMs = endAt.trim() === '' ? mediaEndMs : typedPosition(endAt)
  if (endMs === undefined) return { field: 'endAt', text: FORMAT }
  if (endMs > mediaEndMs) return { field: 'endAt', text: `The video ends at ${formatPosition(durationMs)}.` }
  const isTrimmed = startAt.trim() !== '' || endAt.trim() !== ''
  if (!isTrimmed || endMs - startMs >= MIN_PLAYED_MS) return undefined
  const field = endAt.trim() === '' ? 'startAt' : 'endAt'
  return { field, text: 'The end must be at least one second after the start.' }
}
