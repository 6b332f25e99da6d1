import type { AiredBefore, Programme } from '@looptide/contracts/http/channels'

/** The past programme that is on the air again at an instant, and the time of then that is its position (epoch ms). */
export function instantOfThen(
  programmes: readonly Programme[],
  nowMs: number,
): (AiredBefore & { atMs: number }) | undefined {
  const onAir = programmes.find(({ startsAtMs, endsAtMs }) => startsAtMs <= nowMs && nowMs < endsAtMs)
  const again = onAir?.kind === 'video' ? onAir.reason?.again : undefined
  if (onAir === undefined || again === undefined) return undefined
  return { ...again, atMs: Math.min(again.endedAtMs, again.startedAtMs + nowMs - onAir.startsAtMs) }
}
