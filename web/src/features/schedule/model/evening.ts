import type { RepeatedAiring, Rules, ScheduleDocument, Special } from '@looptide/contracts/schedule'
import { newId, newName } from './names.ts'
import { dateOf, timeOf } from './specials.ts'
import { instantOf } from './zoned-time.ts'

const MIN_SPECIAL_MS = 60_000
/** Shorter than any programme, so that a rule with this value never applies. */
const NEVER = 0.001

/**
 * Rules that keep the order of the evening: what was on is aired again even if its artist or its video has just been on.
 * Excluded artists and videos, and times of tags, still apply.
 */
const EVENING_RULES: Rules = {
  artistSeparationMinutes: { value: NEVER, strength: 'soft' },
  videoSeparationHours: { value: NEVER, strength: 'soft' },
  maxAiringsPerDay: { value: 1000, strength: 'soft' },
  maxDurationMinutes: { value: 1440, strength: 'soft' },
}

/** A past evening that is aired again. `airings` are in the order in which they were on; `at` is a local time of the channel. */
export interface Evening {
  channelId: string
  airings: readonly RepeatedAiring[]
  name: string
  at: string
}

/** The length of an evening's special in ms: the sum of its programmes, without the pauses between them. */
export const eveningMs = (airings: readonly RepeatedAiring[]): number =>
  Math.max(
    MIN_SPECIAL_MS,
    airings.reduce((total, { startedAtMs, endedAtMs }) => total + endedAtMs - startedAtMs, 0),
  )

/** The document with a special that airs the evening again, and with the source of its programmes. */
export function withEvening(document: ScheduleDocument, evening: Evening): ScheduleDocument {
  const { channelId, airings, name, at } = evening
  const source = newName(name.toLowerCase(), Object.keys(document.sources))
  const specials = document.specials ?? []
  const special = {
    ...{ id: newId(name, specials), name, at, durationMs: eveningMs(airings) },
    ...{ start: 'hard' as const, source, rules: EVENING_RULES },
  }
  return {
    ...document,
    sources: { ...document.sources, [source]: { kind: 'airings', channelId, airings: [...airings] } },
    specials: [...specials, special],
  }
}

/** The specials that air programmes of the evening again and have not ended at `nowMs`, in the order of the document. */
export function plannedAgain(
  { timeZone, sources, specials = [] }: ScheduleDocument,
  { channelId, airings }: Pick<Evening, 'channelId' | 'airings'>,
  nowMs: number,
): Special[] {
  const starts = new Set(airings.map(({ startedAtMs }) => startedAtMs))
  return specials.filter((special) => {
    const source = sources[special.source ?? '']
    return (
      source?.kind === 'airings' &&
      source.channelId === channelId &&
      source.airings.some(({ startedAtMs }) => starts.has(startedAtMs)) &&
      instantOf(timeZone, dateOf(special), timeOf(special)) + special.durationMs > nowMs
    )
  })
}
