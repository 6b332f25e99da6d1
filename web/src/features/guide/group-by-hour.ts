import type { Programme } from '@looptide/contracts/http/channels'

export type GuideHour<P> = { startsAtMs: number; programmes: P[] }

const startOfHour = (epochMs: number): number => new Date(epochMs).setMinutes(0, 0, 0)

/** Programmes under the hour (of the viewer's clock) in which they begin; what is over is left out. */
export function groupByHour<P extends Pick<Programme, 'startsAtMs' | 'endsAtMs'>>(
  programmes: readonly P[],
  nowMs: number,
): GuideHour<P>[] {
  const hours: GuideHour<P>[] = []
  for (const programme of programmes) {
    if (programme.endsAtMs <= nowMs) continue
    const startsAtMs = startOfHour(Math.max(programme.startsAtMs, startOfHour(nowMs)))
    const last = hours.at(-1)
    if (last?.startsAtMs === startsAtMs) last.programmes.push(programme)
    else hours.push({ startsAtMs, programmes: [programme] })
  }
  return hours
}

/** Whom an hour is made of, in a few names: 'Adele, Queen and 12 more'. */
export function namesOf(artists: readonly string[], shown = 3): string {
  const names = [...new Set(artists)]
  const rest = names.length - shown
  return rest > 0 ? `${names.slice(0, shown).join(', ')} and ${rest} more` : names.join(', ')
}
