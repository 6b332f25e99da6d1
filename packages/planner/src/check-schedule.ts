import {
  type OverrideBlock,
  REQUESTS_SOURCE,
  type Rules,
  type ScheduleDocument,
  type ScheduleProblem,
  type Source,
} from '@looptide/contracts/schedule'
import { blockMinutes, startOfSpecial } from './grid.ts'
import type { LibraryVideo, PlaylistItem } from './library.ts'
import { dayNumber, isTimeZone, LocalDays } from './local-days.ts'
import { effectiveRules, isArtistExcluded } from './rules.ts'
import { itemsOf } from './source-queue.ts'

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** What the semantic checks of a document need to know about the library. */
export interface ScheduleLibrary {
  library: readonly LibraryVideo[]
  /** Playlists by channel id; `''` is the channel's own. */
  playlists: ReadonlyMap<string, readonly PlaylistItem[]>
  /** Epoch ms. */
  nowMs: number
}

type Content = Pick<OverrideBlock, 'clock' | 'source' | 'rules'>

/**
 * The problems for which a document cannot be published: unknown names, overlaps, clocks and sources that provide
 * nothing, rules that cannot hold. A document that passes always has something to play.
 */
export function checkSchedule(
  document: ScheduleDocument,
  { library, playlists, nowMs }: ScheduleLibrary,
): ScheduleProblem[] {
  const check = new ScheduleCheck(document)
  check.names()
  check.grids()
  if (isTimeZone(document.timeZone)) check.specials()
  check.sources(library, playlists, nowMs)
  return check.problems
}

/** Those problems that a document may have later, because videos were removed or playlists changed. */
export function sourceProblems(
  document: ScheduleDocument,
  { library, playlists, nowMs }: ScheduleLibrary,
): ScheduleProblem[] {
  const check = new ScheduleCheck(document)
  check.sources(library, playlists, nowMs)
  return check.problems
}

class ScheduleCheck {
  readonly problems: ScheduleProblem[] = []
  readonly #document: ScheduleDocument

  constructor(document: ScheduleDocument) {
    this.#document = document
  }

  #add(path: string, message: string): void {
    this.problems.push({ path, message })
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
    if (Object.hasOwn(this.#document.sources, name) || (mayBeRequests && name === REQUESTS_SOURCE)) return
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

  /** Blocks of one grid must not overlap, and a date has at most one override. */
  grids(): void {
    const { blocks = [], overrides = [] } = this.#document
    this.#grid('/blocks', blocks)
    const ranges = overrides.map(({ from, to }) => ({ first: dayNumber(from), last: dayNumber(to) }))
    for (const [index, override] of overrides.entries()) {
      const path = `/overrides/${index}`
      const range = ranges[index]
      this.#grid(`${path}/blocks`, override.blocks)
      if (range?.first === undefined) this.#add(`${path}/from`, `${override.from} is not a date.`)
      else if (range.last === undefined) this.#add(`${path}/to`, `${override.to} is not a date.`)
      else if (range.last < range.first) this.#add(`${path}/to`, 'The last date is before the first one.')
      const earlier = ranges.findIndex((other, at) => at < index && shareDates(other, range))
      if (earlier !== -1) this.#add(path, `It shares dates with the override "${overrides[earlier]?.id}".`)
    }
  }

  #grid(path: string, blocks: readonly OverrideBlock[]): void {
    const spans = blocks.map(spansOfWeek)
    for (const [index, block] of blocks.entries()) {
      const earlier = spans.findIndex((other, at) => at < index && overlap(other, spans[index] ?? []))
      if (earlier === -1) continue
      this.#add(`${path}/${index}`, `"${block.name}" overlaps "${blocks[earlier]?.name}".`)
    }
  }

  /** Two specials must not overlap, and each is on a date that exists. */
  specials(): void {
    const days = new LocalDays(this.#document.timeZone)
    const spans: { index: number; name: string; startMs: number; endMs: number }[] = []
    for (const [index, special] of (this.#document.specials ?? []).entries()) {
      if (dayNumber(special.at.slice(0, 10)) === undefined) {
        this.#add(`/specials/${index}/at`, `${special.at.slice(0, 10)} is not a date.`)
        continue
      }
      const startMs = startOfSpecial(days, special)
      const endMs = startMs + special.durationMs
      const other = spans.find((one) => one.startMs < endMs && startMs < one.endMs)
      if (other !== undefined) this.#add(`/specials/${index}`, `"${special.name}" overlaps "${other.name}".`)
      spans.push({ index, name: special.name, startMs, endMs })
    }
  }

  /** Sources that are used provide videos, enough of them for the rules. */
  sources(library: readonly LibraryVideo[], playlists: ScheduleLibrary['playlists'], nowMs: number): void {
    const videos = new Map(library.map((video) => [video.id, video]))
    const found = new Map<string, LibraryVideo[]>()
    for (const [name, source] of Object.entries(this.#document.sources)) {
      const playlist = source.kind === 'playlist' ? (playlists.get(source.channelId ?? '') ?? []) : []
      const items = itemsOf({ name, source, playlist, library, nowMs })
      const playable = [...new Set(items.map(({ videoId }) => videoId))].flatMap((id) => videos.get(id) ?? [])
      found.set(name, playable)
      if (playable.length === 0) this.#add(`/sources/${name}`, emptySourceMessage(name, source))
    }
    this.#rules('/defaultSource', this.#document.defaultSource, this.#document.rules, found)
    for (const [index, { source, rules }] of (this.#document.blocks ?? []).entries()) {
      if (source !== undefined)
        this.#rules(`/blocks/${index}`, source, effectiveRules(this.#document, rules), found)
    }
  }

  /** Whether a source that is played alone can satisfy the hard rules. */
  #rules(
    path: string,
    name: string,
    rules: Rules | undefined,
    found: ReadonlyMap<string, LibraryVideo[]>,
  ): void {
    const all = found.get(name) ?? []
    const { maxDurationMinutes, videoSeparationHours, artistSeparationMinutes } = rules ?? {}
    if (all.length === 0) return
    const videos = all.filter((video) => !isArtistExcluded(video, rules ?? {}))
    if (videos.length === 0) {
      this.#add(path, `Every video of "${name}" is by an excluded artist.`)
      return
    }
    const maxMs =
      maxDurationMinutes?.strength === 'hard'
        ? maxDurationMinutes.value * MINUTE_MS
        : Number.POSITIVE_INFINITY
    const short = videos.filter(({ durationMs }) => durationMs <= maxMs)
    const summary = `"${name}" has ${count(short.length, 'video')}, ${minutes(totalMs(short))} in total`
    if (short.length === 0) {
      this.#add(path, `Every video of "${name}" is longer than ${count(maxMs / MINUTE_MS, 'minute')}.`)
      return
    }
    if (videoSeparationHours?.strength === 'hard' && totalMs(short) < videoSeparationHours.value * HOUR_MS) {
      const needed = count(videoSeparationHours.value * 60, 'minute')
      this.#add(
        path,
        `${summary}; ${count(videoSeparationHours.value, 'hour')} between airings of a video need at least ${needed}.`,
      )
    }
    const artists = new Set(short.map(({ artistName }) => artistName.trim().toLowerCase()))
    if (artistSeparationMinutes?.strength === 'hard' && artists.size === 1) {
      this.#add(
        path,
        `All videos of "${name}" are by one artist; a hard artist separation would stop the channel.`,
      )
    }
  }
}

type DateRange = { first: number | undefined; last: number | undefined } | undefined

function shareDates(a: DateRange, b: DateRange): boolean {
  if (a?.first === undefined || a.last === undefined || b?.first === undefined || b.last === undefined)
    return false
  return a.first <= b.last && b.first <= a.last
}

/** The minutes of the week that a block covers. What goes beyond Sunday continues on Monday. */
function spansOfWeek(block: OverrideBlock): [number, number][] {
  const { from, to } = blockMinutes(block)
  return (block.days ?? WEEKDAYS).flatMap((day): [number, number][] => {
    const start = WEEKDAYS.indexOf(day) * DAY_MINUTES
    const beyond = start + to - WEEK_MINUTES
    const own: [number, number] = [start + from, Math.min(start + to, WEEK_MINUTES)]
    return beyond > 0 ? [own, [0, beyond]] : [own]
  })
}

function overlap(a: readonly [number, number][], b: readonly [number, number][]): boolean {
  return a.some(([from, to]) => b.some(([otherFrom, otherTo]) => from < otherTo && otherFrom < to))
}

function emptySourceMessage(name: string, source: Source): string {
  if (source.kind === 'playlist') return `The playlist of "${name}" has no playable videos.`
  if (source.kind === 'video') return `The video of "${name}" is not in the library.`
  return `No video of the library matches "${name}".`
}

const totalMs = (videos: readonly LibraryVideo[]): number =>
  videos.reduce((total, { durationMs }) => total + durationMs, 0)

const minutes = (ms: number): string => count(Math.floor(ms / MINUTE_MS), 'minute')

function count(value: number, noun: string): string {
  const rounded = Math.round(value * 100) / 100
  return `${rounded} ${noun}${rounded === 1 ? '' : 's'}`
}
