import { GUIDE_STEP_MS } from '@looptide/contracts/http/guide'

const HOUR_MS = 3_600_000
/** A programme of this length (ms) has a block of its own in the guide. Shorter ones are too narrow and share a block. */
export const LONG_PROGRAMME_MS = 20 * 60_000

interface Span {
  startsAtMs: number
  endsAtMs: number
}

/** Consecutive programmes. `id` stays the same while the block has the same index within its hour. */
export interface Block<P> extends Span {
  id: string
  programmes: readonly [P, ...P[]]
}

/**
 * Groups programmes, sorted by time, into blocks: those that start within one hour, or one long programme. Hours are
 * counted from `fromMs`. With `clamp`, a programme that started earlier belongs to the first hour.
 */
export function guideBlocks<P extends Span>(
  programmes: readonly P[],
  fromMs: number,
  clamp: boolean,
): Block<P>[] {
  const blocks: (Block<P> & { hourMs: number; isLong: boolean; programmes: [P, ...P[]] })[] = []
  let indexInHour = 0
  for (const programme of programmes) {
    const hourMs = hourOf(clamp ? Math.max(programme.startsAtMs, fromMs) : programme.startsAtMs, fromMs)
    const isLong = programme.endsAtMs - programme.startsAtMs >= LONG_PROGRAMME_MS
    const last = blocks.at(-1)
    if (last !== undefined && last.hourMs === hourMs && !last.isLong && !isLong) {
      last.programmes.push(programme)
      last.endsAtMs = programme.endsAtMs
      continue
    }
    indexInHour = last?.hourMs === hourMs ? indexInHour + 1 : 0
    const { startsAtMs, endsAtMs } = programme
    const id = `${hourMs / GUIDE_STEP_MS}.${indexInHour}`
    blocks.push({ id, hourMs, isLong, startsAtMs, endsAtMs, programmes: [programme] })
  }
  return blocks.map(({ id, startsAtMs, endsAtMs, programmes: own }) => ({
    id,
    startsAtMs,
    endsAtMs,
    programmes: own,
  }))
}

/** The start of the hour that contains an instant; hours are counted from `originMs`. */
function hourOf(atMs: number, originMs: number): number {
  const offsetMs = originMs % HOUR_MS
  return Math.floor((atMs - offsetMs) / HOUR_MS) * HOUR_MS + offsetMs
}
