import { GUIDE_STEP_MS } from '@looptide/contracts/http/guide'

const HOUR_MS = 3_600_000
/** A programme of this length (ms) is read by itself in a guide; shorter ones are too narrow and share a block. */
export const LONG_PROGRAMME_MS = 20 * 60_000

interface Span {
  startsAtMs: number
  endsAtMs: number
}

/** Programmes that follow one another. `id` is the same as long as the block has the same place in its hour. */
export interface Block<P> extends Span {
  id: string
  programmes: readonly [P, ...P[]]
}

/**
 * Groups programmes, sorted by time, into readable blocks: those that begin within one hour, or a long one by itself.
 * Hours are those of the grid through `fromMs`; what began before it counts to its first hour if `clamp` is set.
 */
export function guideBlocks<P extends Span>(
  programmes: readonly P[],
  fromMs: number,
  clamp: boolean,
): Block<P>[] {
  const blocks: (Block<P> & { hourMs: number; isLong: boolean; programmes: [P, ...P[]] })[] = []
  let inHour = 0
  for (const programme of programmes) {
    const hourMs = hourOf(clamp ? Math.max(programme.startsAtMs, fromMs) : programme.startsAtMs, fromMs)
    const isLong = programme.endsAtMs - programme.startsAtMs >= LONG_PROGRAMME_MS
    const last = blocks.at(-1)
    if (last !== undefined && last.hourMs === hourMs && !last.isLong && !isLong) {
      last.programmes.push(programme)
      last.endsAtMs = programme.endsAtMs
      continue
    }
    inHour = last?.hourMs === hourMs ? inHour + 1 : 0
    const { startsAtMs, endsAtMs } = programme
    const id = `${hourMs / GUIDE_STEP_MS}.${inHour}`
    blocks.push({ id, hourMs, isLong, startsAtMs, endsAtMs, programmes: [programme] })
  }
  return blocks.map(({ id, startsAtMs, endsAtMs, programmes: own }) => ({
    id,
    startsAtMs,
    endsAtMs,
    programmes: own,
  }))
}

/** The hour of the grid through `gridMs` in which an instant lies. */
function hourOf(atMs: number, gridMs: number): number {
  const offsetMs = gridMs % HOUR_MS
  return Math.floor((atMs - offsetMs) / HOUR_MS) * HOUR_MS + offsetMs
}
