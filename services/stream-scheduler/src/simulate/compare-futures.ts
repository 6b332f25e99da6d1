import type { Simulation } from '@looptide/contracts/http/simulation'
import { textKey } from '@looptide/contracts/text'
import type { VideoText } from '../library/video-repository.ts'

/** The fields of a programme that a comparison needs. */
export interface Slot {
  seq: number
  videoId: string
  startsAtMs: number
  endsAtMs: number
  /** Set for a programme of the timeline. */
  programmeId?: string
}

type Comparison = Pick<Simulation, 'programmes' | 'dropped' | 'firstChangeMs' | 'sameArtistCount'>

const UNKNOWN: VideoText = { title: 'Unknown Title', artistName: 'Unknown Artist' }

/**
 * Compares a planned future with the current one; both cover the same hours and are sorted by time. The n-th airing of a
 * video is compared with its n-th current airing. The first `fixedCount` programmes are unchanged.
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
    const currentAirings = airings.get(slot.videoId) ?? []
    const nth = seen.get(slot.videoId) ?? 0
    seen.set(slot.videoId, nth + 1)
    const before =
      currentAirings.find((airing) => airing.startsAtMs === slot.startsAtMs) ?? currentAirings[nth]
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
  const plannedIds = new Set(planned.map((slot) => slot.videoId))
  const dropped = [...airings].flatMap(([videoId, slots]) => {
    const first = slots[0]
    return plannedIds.has(videoId) || first === undefined
      ? []
      : [{ videoId, ...textOf(videoId), previousStartMs: first.startsAtMs }]
  })
  return {
    programmes,
    dropped,
    firstChangeMs: firstDifferenceMs(planned, current),
    sameArtistCount: programmes.filter((programme) => programme.followsSameArtist).length,
  }
}

/** Whether the programme is unchanged, so that the timeline keeps it. */
const isSame = (slot: Slot, before: Slot | undefined) =>
  before?.seq === slot.seq && before.startsAtMs === slot.startsAtMs && before.endsAtMs === slot.endsAtMs

const changeOf = (slot: Slot, before: Slot) =>
  slot.startsAtMs === before.startsAtMs ? ('same' as const) : ('moved' as const)

/** Unknown artists count as different ones. */
function isSameArtist({ artistName }: VideoText, other: string): boolean {
  const name = textKey(artistName)
  return name !== '' && name !== 'unknown artist' && name === textKey(other)
}

/** The start of the first programme that differs (epoch ms); null if all are equal. */
function firstDifferenceMs(planned: readonly Slot[], current: readonly Slot[]): number | null {
  const length = Math.max(planned.length, current.length)
  for (let index = 0; index < length; index += 1) {
    const after = planned[index]
    const before = current[index]
    if (after?.videoId !== before?.videoId || after?.startsAtMs !== before?.startsAtMs) {
      return Math.min(after?.startsAtMs ?? Infinity, before?.startsAtMs ?? Infinity)
    }
  }
  return null
}
