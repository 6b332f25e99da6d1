import { GUIDE_STEP_MS } from '@looptide/contracts/http/guide'
import type { CachedProgramme } from '../timeline/timeline-cache.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A programme of this length (ms) has a block of its own in the guide. Shorter ones are too narrow and share a block. */
export const LONG_PROGRAMME_MS = 20 * 60_000

interface Span {
  startsAtMs: number
  endsAtMs: number
}

/** Identifies the block, special or takeover that a programme belongs to; null outside of them. */
export function scheduleBlockKey({ reason }: Pick<CachedProgramme, 'reason'>): string | null {
  if (reason === null) return null
  if (reason.takeover !== undefined) return 'takeover'
  if (reason.specialId !== null) return `special-${reason.specialId}`
  return reason.blockId === null ? null : `block-${reason.blockId}`
}

/** The id of a block of the schedule in the guide: that of its day (UTC), since blocks return. */
export const scheduleBlockId = (key: string, startsAtMs: number): string =>
  `${key}.${Math.floor(startsAtMs / DAY_MS)}`

/**
 * Consecutive programmes. `id` stays the same while the block has the same index within its hour, or is that of
 * {@link scheduleBlockId}.
 */
export interface Block<P> extends Span {
  id: string
  programmes: readonly [P, ...P[]]
}

/**
 * Groups programmes, sorted by time, into blocks: those with the same key of the schedule (`keyOf`); outside of the
 * schedule's blocks, those that start within one hour, or one long programme. Hours are counted from `fromMs`. With
 * `clamp`, a programme that started earlier belongs to the first hour.
 */
export function guideBlocks<P extends Span>(
  programmes: readonly P[],
  fromMs: number,
  clamp: boolean,
  keyOf: (programme: P) => string | null = () => null,
): Block<P>[] {
  const groups: (Span & { key: string | null; hourMs: number; isLong: boolean; programmes: [P, ...P[]] })[] =
    []
  for (const programme of programmes) {
    const { startsAtMs, endsAtMs } = programme
    const key = keyOf(programme)
    const hourMs = hourOf(clamp ? Math.max(startsAtMs, fromMs) : startsAtMs, fromMs)
    const isLong = endsAtMs - startsAtMs >= LONG_PROGRAMME_MS
    const last = groups.at(-1)
    const isInHour = last?.hourMs === hourMs && !last.isLong && !isLong
    if (last !== undefined && last.key === key && (key !== null || isInHour)) {
      last.programmes.push(programme)
      last.endsAtMs = endsAtMs
    } else {
      groups.push({ key, hourMs, isLong, startsAtMs, endsAtMs, programmes: [programme] })
    }
  }
  const counts = new Map<string, number>()
  return groups.map(({ key, hourMs, startsAtMs, endsAtMs, programmes: own }) => {
    const place = key === null ? `${hourMs / GUIDE_STEP_MS}` : scheduleBlockId(key, startsAtMs)
    const index = counts.get(place) ?? 0
    counts.set(place, index + 1)
    const id = key === null || index > 0 ? `${place}.${index}` : place
    return { id, startsAtMs, endsAtMs, programmes: own }
  })
}

/** The start of the hour that contains an instant; hours are counted from `originMs`. */
function hourOf(atMs: number, originMs: number): number {
  const offsetMs = originMs % HOUR_MS
  return Math.floor((atMs - offsetMs) / HOUR_MS) * HOUR_MS + offsetMs
}
