import type { Simulation } from '@looptide/contracts/http/simulation'
import type { VideoText } from './simulate-repository.ts'

/** A programme as far as a comparison needs it. */
export interface Slot {
  seq: number
  videoId: string
  startsAtMs: number
  endsAtMs: number
  /** The id of a programme that is in the timeline. */
  programmeId?: string
}

type Comparison = Pick<Simulation, 'programmes' | 'dropped' | 'firstChangeMs' | 'sameArtistCount'>

const UNKNOWN: VideoText = { title: 'Unknown Title', artistName: 'Unknown Artist' }

/**
 * Tells a planned future against the current one, both of the same hours and sorted by time. A video that moved is
 * compared with its airings in their order: its second airing with its second. The first `fixedCount` stay as they are.
 */
export function compareFutures(
  planned: readonly Slot[],
  current: readonly Slot[],
  fixedCount: number,
  texts: ReadonlyMap<string, VideoText>,
): Comparison {
  const textOf = (videoId: string) => texts.get(videoId) ?? UNKNOWN
  const airings = Map.groupBy(current, (slot) => slot.videoId)
  const seen = new Map<string, number>()
  const programmes = planned.map((slot, index) => {
    const known = airings.get(slot.videoId) ?? []
    const nth = seen.get(slot.videoId) ?? 0
    seen.set(slot.videoId, nth + 1)
    const before = known.find((was) => was.startsAtMs === slot.startsAtMs) ?? known[nth]
    const { title, artistName } = textOf(slot.videoId)
    const previous = planned[index - 1]
    return {
      programmeId: isSame(slot, before) ? (before?.programmeId ?? null) : null,
      seq: slot.seq,
      videoId: slot.videoId,
      title,
      artistName,
      startsAtMs: slot.startsAtMs,
      endsAtMs: slot.endsAtMs,
      isFixed: index < fixedCount,
      change: before === undefined ? ('new' as const) : changeOf(slot, before),
      previousStartMs: before?.startsAtMs ?? null,
      followsSameArtist: previous !== undefined && isSameArtist(textOf(previous.videoId), artistName),
    }
  })
  const stays = new Set(planned.map((slot) => slot.videoId))
  const dropped = [...airings].flatMap(([videoId, slots]) => {
    const first = slots[0]
    return stays.has(videoId) || first === undefined
      ? []
      : [{ videoId, ...textOf(videoId), previousStartMs: first.startsAtMs }]
  })
  return {
    programmes,
    dropped,
    firstChangeMs: firstOther(planned, current),
    sameArtistCount: programmes.filter((programme) => programme.followsSameArtist).length,
  }
}

/** A timeline keeps a programme that comes out the same. */
const isSame = (slot: Slot, before: Slot | undefined) =>
  before?.seq === slot.seq && before.startsAtMs === slot.startsAtMs && before.endsAtMs === slot.endsAtMs

const changeOf = (slot: Slot, before: Slot) =>
  slot.startsAtMs === before.startsAtMs ? ('same' as const) : ('moved' as const)

/** Nobody is the same unknown artist as anybody else. */
function isSameArtist({ artistName }: VideoText, other: string): boolean {
  const name = artistName.trim().toLowerCase()
  return name !== '' && name !== 'unknown artist' && name === other.trim().toLowerCase()
}

/** The instant of the first place where the two tell something else. */
function firstOther(planned: readonly Slot[], current: readonly Slot[]): number | null {
  const length = Math.max(planned.length, current.length)
  for (let index = 0; index < length; index += 1) {
    const will = planned[index]
    const was = current[index]
    if (will?.videoId !== was?.videoId || will?.startsAtMs !== was?.startsAtMs) {
      return Math.min(will?.startsAtMs ?? Infinity, was?.startsAtMs ?? Infinity)
    }
  }
  return null
}
