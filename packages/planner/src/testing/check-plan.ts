import type { Rules, ScheduleDocument } from '@looptide/contracts/schedule'
import { Temporal } from 'temporal-polyfill'
import { segmentsOf } from '../grid.ts'
import { type Airing, artistKey, type LibraryVideo } from '../library.ts'
import { minutesOf } from '../local-days.ts'
import type { ScheduledProgramme } from '../plan.ts'
import type { RelaxableRule } from '../rules.ts'

/**
 * Finds the faults of a plan, by the definitions of the rules and independently of the planner's own bookkeeping:
 * gaps, overlaps, missed hard starts, rules that were breached and not recorded. Empty for a correct plan.
 */
export function faultsOf(
  document: ScheduleDocument,
  library: readonly LibraryVideo[],
  history: readonly Airing[],
  programmes: readonly ScheduledProgramme[],
  fromMs: number,
  toMs: number,
): string[] {
  return [
    ...timelineFaults(document, programmes, fromMs, toMs),
    ...ruleFaults(document, library, history, programmes),
  ]
}

/** The gaps, overlaps and missed hard starts of a plan. */
export function timelineFaults(
  document: ScheduleDocument,
  programmes: readonly ScheduledProgramme[],
  fromMs: number,
  toMs: number,
): string[] {
  return [
    ...continuityFaults(programmes, fromMs, toMs),
    ...hardStartFaults(document, programmes, fromMs, toMs),
  ]
}

function continuityFaults(programmes: readonly ScheduledProgramme[], fromMs: number, toMs: number): string[] {
  let expectedMs = fromMs
  const faults: string[] = []
  for (const { startsAtMs, endsAtMs, kind } of programmes) {
    if (startsAtMs !== expectedMs) faults.push(`starts at ${startsAtMs} instead of ${expectedMs}`)
    if (endsAtMs <= startsAtMs) faults.push(`the ${kind} at ${startsAtMs} has no duration`)
    expectedMs = endsAtMs
  }
  if (expectedMs < toMs) faults.push(`ends at ${expectedMs}, before ${toMs}`)
  return faults
}

function hardStartFaults(
  document: ScheduleDocument,
  programmes: readonly ScheduledProgramme[],
  fromMs: number,
  toMs: number,
): string[] {
  const starts = new Map(programmes.map((programme) => [programme.startsAtMs, programme]))
  return segmentsOf(document, fromMs, toMs).flatMap(({ isHardStart, startMs, item }) => {
    if (!isHardStart) return []
    const { blockId, specialId } = starts.get(startMs)?.reason ?? {}
    return item?.id === blockId || item?.id === specialId ? [] : [`${item?.id} does not start at ${startMs}`]
  })
}

function ruleFaults(
  document: ScheduleDocument,
  library: readonly LibraryVideo[],
  history: readonly Airing[],
  programmes: readonly ScheduledProgramme[],
): string[] {
  const videos = new Map(library.map((video) => [video.id, video]))
  const lastStarts = new Map<string, number>()
  const lastEnds = new Map<string, number>()
  const perDay = new Map<string, number>()
  const dateOf = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(document.timeZone).toPlainDate().toString()
  const record = ({ videoId, startsAtMs, endsAtMs }: Airing) => {
    const video = videos.get(videoId ?? '')
    if (video === undefined) return
    lastStarts.set(video.id, startsAtMs)
    lastEnds.set(artistKey(video), endsAtMs)
    const key = `${video.id} ${dateOf(startsAtMs)}`
    perDay.set(key, (perDay.get(key) ?? 0) + 1)
  }
  for (const airing of history) record(airing)
  const faults: string[] = []
  for (const { videoId, startsAtMs, endsAtMs, reason } of programmes) {
    const video = videos.get(videoId ?? '')
    if (video === undefined) continue
    const rules = rulesOf(document, reason)
    const breached: Record<RelaxableRule, boolean> = {
      artistSeparationMinutes:
        startsAtMs - (lastEnds.get(artistKey(video)) ?? Number.NEGATIVE_INFINITY) <
        (rules.artistSeparationMinutes?.value ?? 0) * 60_000,
      videoSeparationHours:
        startsAtMs - (lastStarts.get(video.id) ?? Number.NEGATIVE_INFINITY) <
        (rules.videoSeparationHours?.value ?? 0) * 3_600_000,
      maxAiringsPerDay:
        (perDay.get(`${video.id} ${dateOf(startsAtMs)}`) ?? 0) >=
        (rules.maxAiringsPerDay?.value ?? Number.POSITIVE_INFINITY),
      maxDurationMinutes:
        video.durationMs > (rules.maxDurationMinutes?.value ?? Number.POSITIVE_INFINITY) * 60_000,
    }
    for (const [name, isBreached] of Object.entries(breached) as [RelaxableRule, boolean][]) {
      if (isBreached && rules[name]?.strength === 'hard') faults.push(`${name} is breached at ${startsAtMs}`)
      if (isBreached !== reason.relaxed.includes(name))
        faults.push(`${name} is recorded wrongly at ${startsAtMs}`)
    }
    for (const { tag, from, to } of rules.tagWindows ?? []) {
      if (video.tags.includes(tag) && !isOpen(document.timeZone, startsAtMs, from, to)) {
        faults.push(`"${tag}" is on at ${startsAtMs}`)
      }
    }
    if (rules.excludedArtists?.includes(video.artistName))
      faults.push(`${video.artistName} is on at ${startsAtMs}`)
    const exclusion = document.exclusions?.find((one) => one.videoId === video.id)
    if (exclusion !== undefined && dateOf(startsAtMs) < exclusion.untilDate)
      faults.push(`${video.id} is on at ${startsAtMs}, before ${exclusion.untilDate}`)
    record({ videoId: video.id, startsAtMs, endsAtMs })
  }
  return faults
}

function rulesOf(document: ScheduleDocument, { blockId, specialId }: ScheduledProgramme['reason']): Rules {
  const blocks = [
    ...(document.blocks ?? []),
    ...(document.overrides ?? []).flatMap((override) => override.blocks),
  ]
  const item =
    blocks.find(({ id }) => id === blockId) ?? (document.specials ?? []).find(({ id }) => id === specialId)
  const excludedArtists = [document.rules, item?.rules].flatMap((rules) => rules?.excludedArtists ?? [])
  return { ...document.rules, ...item?.rules, excludedArtists }
}

/** Whether a daily window is open, by local wall-clock time. The planner compares instants instead. */
function isOpen(timeZone: string, ms: number, from: string, to: string): boolean {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  const now = hour * 60 + minute
  const [open, close] = [minutesOf(from), minutesOf(to)]
  return open < close ? now >= open && now < close : now >= open || now < close
}
