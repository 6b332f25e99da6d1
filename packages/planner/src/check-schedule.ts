import {
  type OverrideBlock,
  REQUEST_SOURCES,
  type ScheduleDocument,
  type ScheduleProblem,
} from '@looptide/contracts/schedule'
import { type ScheduleLibrary, sourceProblems } from './check-sources.ts'
import { MAX_PROBLEMS } from './document-problems.ts'
import { dayNumber, isTimeZone } from './local-days.ts'

type Content = Pick<OverrideBlock, 'clock' | 'source' | 'rules'>

/**
 * The problems for which a document cannot be planned: unknown names, dates that do not exist, clocks and sources that
 * provide nothing, rules that cannot hold. A document that passes always has something to play. Blocks that overlap are
 * found by clash-problems.ts.
 */
export function checkSchedule(
  document: ScheduleDocument,
  { library, playlists, nowMs }: ScheduleLibrary,
): ScheduleProblem[] {
  const check = new ScheduleCheck(document)
  check.names()
  check.dates()
  const problems = [...check.problems, ...sourceProblems(document, { library, playlists, nowMs })]
  return problems.slice(0, MAX_PROBLEMS)
}

class ScheduleCheck {
  readonly problems: ScheduleProblem[] = []
  readonly #document: ScheduleDocument

  constructor(document: ScheduleDocument) {
    this.#document = document
  }

  #add(path: string, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ path, message })
  }

  /** The time zone, and every name that refers to a source or clock. */
  names(): void {
    const {
      timeZone,
      defaultSource,
      clocks = {},
      blocks = [],
      overrides = [],
      specials = [],
    } = this.#document
    if (!isTimeZone(timeZone))
      this.#add('/timeZone', `"${timeZone}" is not a known time zone. Example: Europe/Berlin.`)
    this.#source('/defaultSource', defaultSource, false)
    for (const [name, slots] of Object.entries(clocks)) {
      for (const [index, slot] of slots.entries()) {
        if (!('source' in slot)) continue
        this.#source(`/clocks/${name}/${index}/source`, slot.source, true)
        if (slot.fallback !== undefined)
          this.#source(`/clocks/${name}/${index}/fallback`, slot.fallback, false)
      }
      if (!slots.some((slot) => 'source' in slot)) {
        this.#add(`/clocks/${name}`, `The clock "${name}" has no slot with a source.`)
      }
    }
    for (const [index, block] of blocks.entries()) this.#content(`/blocks/${index}`, block)
    for (const [index, special] of specials.entries()) this.#content(`/specials/${index}`, special)
    for (const [index, override] of overrides.entries()) {
      for (const [at, block] of override.blocks.entries())
        this.#content(`/overrides/${index}/blocks/${at}`, block)
    }
    this.#uniqueIds('/blocks', blocks)
    this.#uniqueIds('/specials', specials)
    this.#uniqueIds('/overrides', overrides)
    for (const [index, { untilDate }] of (this.#document.exclusions ?? []).entries()) {
      if (dayNumber(untilDate) === undefined)
        this.#add(`/exclusions/${index}/untilDate`, `${untilDate} is not a date.`)
    }
  }

  #source(path: string, name: string, mayBeRequests: boolean): void {
    if (Object.hasOwn(this.#document.sources, name)) return
    if (mayBeRequests && REQUEST_SOURCES.includes(name)) return
    this.#add(path, `There is no source named "${name}".`)
  }

  #content(path: string, { clock, source }: Content): void {
    if ((clock === undefined) === (source === undefined)) this.#add(path, 'Set either a clock or a source.')
    if (source !== undefined) this.#source(`${path}/source`, source, false)
    if (clock !== undefined && !Object.hasOwn(this.#document.clocks ?? {}, clock)) {
      this.#add(`${path}/clock`, `There is no clock named "${clock}".`)
    }
  }

  #uniqueIds(path: string, items: readonly { id: string }[]): void {
    const seen = new Set<string>()
    for (const [index, { id }] of items.entries()) {
      if (seen.has(id)) this.#add(`${path}/${index}/id`, `The id "${id}" is used twice.`)
      seen.add(id)
    }
  }

  /** A date has at most one override, and the dates of overrides and specials exist. */
  dates(): void {
    const { overrides = [], specials = [] } = this.#document
    const ranges = overrides.map(({ from, to }) => ({ first: dayNumber(from), last: dayNumber(to) }))
    for (const [index, override] of overrides.entries()) {
      const path = `/overrides/${index}`
      const range = ranges[index]
      if (range?.first === undefined) this.#add(`${path}/from`, `${override.from} is not a date.`)
      else if (range.last === undefined) this.#add(`${path}/to`, `${override.to} is not a date.`)
      else if (range.last < range.first) this.#add(`${path}/to`, 'The last date is before the first one.')
      const earlier = ranges.findIndex((other, at) => at < index && shareDates(other, range))
      if (earlier !== -1)
        this.#add(
          path,
          `It shares dates with the holiday "${overrides[earlier]?.name ?? overrides[earlier]?.id}".`,
        )
    }
    for (const [index, { at }] of specials.entries()) {
      if (dayNumber(at.slice(0, 10)) === undefined)
        this.#add(`/specials/${index}/at`, `${at.slice(0, 10)} is not a date.`)
    }
  }
}

type DateRange = { first: number | undefined; last: number | undefined } | undefined

function shareDates(a: DateRange, b: DateRange): boolean {
  if (a?.first === undefined || a.last === undefined || b?.first === undefined || b.last === undefined)
    return false
  return a.first <= b.last && b.first <= a.last
}
