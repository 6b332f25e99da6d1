import type { Exclusion, Rules, ScheduleDocument } from '@looptide/contracts/schedule'
import { type Airing, artistKey, type LibraryVideo, normalise, normalisedSet } from './library.ts'
import { type DayNumber, isoDate, type LocalDays } from './local-days.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * The rules that can be relaxed, in the order in which they are: the first one is given up first. A repeat on the same
 * day is noticed least, an overlong video most.
 */
const RELAXATION_ORDER = [
  'maxAiringsPerDay',
  'artistSeparationMinutes',
  'videoSeparationHours',
  'maxDurationMinutes',
] as const
export type RelaxableRule = (typeof RELAXATION_ORDER)[number]

/** Rules as a bit set: bit n is rule n of {@link RELAXATION_ORDER}. A smaller number breaches less important rules. */
export type RuleSet = number

/** The rules in `set`, the most important one first. */
export function rulesIn(set: RuleSet): RelaxableRule[] {
  return RELAXATION_ORDER.filter((_, bit) => (set & (1 << bit)) !== 0).reverse()
}

/** What limits the choice of videos in a block. */
export type EffectiveRules = Rules & { exclusions?: readonly Exclusion[] }

/** The rules of a block: those of the channel, replaced one by one. Excluded artists of both are excluded. */
export function effectiveRules(document: ScheduleDocument, ofBlock: Rules | undefined): EffectiveRules {
  const { rules, exclusions = [] } = document
  const excludedArtists = [...(rules?.excludedArtists ?? []), ...(ofBlock?.excludedArtists ?? [])]
  return { ...rules, ...ofBlock, excludedArtists, exclusions }
}

interface VideoState {
  video: LibraryVideo
  /** Shared by all videos of the artist. */
  artist: { lastEndMs: number }
  lastStartMs: number
  airings: { day: DayNumber; count: number }
}

/** What has aired, as far as rules ask for it: the last airing of each video and artist, and the airings of a day. */
export class AirHistory {
  readonly days: LocalDays
  readonly #states = new Map<string, VideoState>()

  constructor(library: readonly LibraryVideo[], days: LocalDays, history: readonly Airing[]) {
    this.days = days
    const artists = new Map<string, { lastEndMs: number }>()
    for (const video of library) {
      const key = artistKey(video)
      const artist = artists.get(key) ?? { lastEndMs: Number.NEGATIVE_INFINITY }
      artists.set(key, artist)
      const airings = { day: 0, count: 0 }
      this.#states.set(video.id, { video, artist, lastStartMs: Number.NEGATIVE_INFINITY, airings })
    }
    for (const airing of history) this.record(airing)
  }

  record({ videoId, startsAtMs, endsAtMs }: Airing): void {
    const state = this.#states.get(videoId)
    if (state === undefined) return
    state.lastStartMs = Math.max(state.lastStartMs, startsAtMs)
    state.artist.lastEndMs = Math.max(state.artist.lastEndMs, endsAtMs)
    const day = this.days.dayOf(startsAtMs)
    if (state.airings.day === day) state.airings.count += 1
    else if (state.airings.day < day) state.airings = { day, count: 1 }
  }

  /** Start (epoch ms) of the video's last airing; -Infinity if it has not aired. */
  lastStartOf(videoId: string): number {
    return this.#states.get(videoId)?.lastStartMs ?? Number.NEGATIVE_INFINITY
  }

  find(videoId: string): LibraryVideo | undefined {
    return this.#states.get(videoId)?.video
  }

  stateOf(videoId: string): Readonly<VideoState> | undefined {
    return this.#states.get(videoId)
  }
}

/** Rules at one instant, ready to check many videos. */
export class RuleCheck {
  readonly #history: AirHistory
  readonly #startMs: number
  readonly #day: DayNumber
  readonly #hard: RuleSet
  readonly #artistMs: number
  readonly #videoMs: number
  readonly #perDay: number
  readonly #maxMs: number
  /** Tags whose windows are closed, and when the last of these opens (epoch ms). */
  readonly #closedTags: ReadonlyMap<string, number>
  readonly #excludedArtists: ReadonlySet<string>
  readonly #excludedVideos: ReadonlySet<string>

  constructor(rules: EffectiveRules, history: AirHistory, startMs: number) {
    this.#history = history
    this.#startMs = startMs
    this.#day = history.days.dayOf(startMs)
    this.#artistMs = (rules.artistSeparationMinutes?.value ?? 0) * MINUTE_MS
    this.#videoMs = (rules.videoSeparationHours?.value ?? 0) * HOUR_MS
    this.#perDay = rules.maxAiringsPerDay?.value ?? Number.POSITIVE_INFINITY
    this.#maxMs = (rules.maxDurationMinutes?.value ?? Number.POSITIVE_INFINITY) * MINUTE_MS
    this.#hard = RELAXATION_ORDER.reduce(
      (set, rule, bit) => (rules[rule]?.strength === 'hard' ? set | (1 << bit) : set),
      0,
    )
    const closedTags = new Map<string, number>()
    for (const { tag, from, to } of rules.tagWindows ?? []) {
      if (history.days.isWithin(startMs, from, to)) continue
      const opensAtMs = history.days.nextAt(startMs, from)
      closedTags.set(tag.toLowerCase(), Math.max(closedTags.get(tag.toLowerCase()) ?? 0, opensAtMs))
    }
    this.#closedTags = closedTags
    this.#excludedArtists = normalisedSet(rules.excludedArtists)
    this.#excludedVideos = excludedOn(this.#day, rules.exclusions ?? [])
  }

  /** The soft rules that the video would breach if it started now; undefined if it would breach a hard one. */
  breaches(videoId: string): RuleSet | undefined {
    const state = this.#history.stateOf(videoId)
    if (state === undefined) return undefined
    const { video, artist, lastStartMs, airings } = state
    const set =
      (airings.day === this.#day && airings.count >= this.#perDay ? 1 : 0) |
      (this.#startMs - artist.lastEndMs < this.#artistMs ? 2 : 0) |
      (this.#startMs - lastStartMs < this.#videoMs ? 4 : 0) |
      (video.durationMs > this.#maxMs ? 8 : 0)
    if ((set & this.#hard) !== 0 || this.#excludedVideos.has(videoId)) return undefined
    if (this.#excludedArtists.size > 0 && this.#excludedArtists.has(normalise(video.artistName)))
      return undefined
    if (this.#closedTags.size > 0 && video.tags.some((tag) => this.#closedTags.has(tag.toLowerCase()))) {
      return undefined
    }
    return set
  }

  /** The first instant (epoch ms) at which hard rules may allow a video that they forbid now, if no other one airs. */
  allowedFrom(videoId: string): number {
    const state = this.#history.stateOf(videoId)
    if (state === undefined) return Number.POSITIVE_INFINITY
    const { video, artist, lastStartMs, airings } = state
    const isNever =
      ((this.#hard & 8) !== 0 && video.durationMs > this.#maxMs) ||
      (this.#excludedArtists.size > 0 && this.#excludedArtists.has(normalise(video.artistName)))
    if (isNever) return Number.POSITIVE_INFINITY
    const isUsedUp = (this.#hard & 1) !== 0 && airings.day === this.#day && airings.count >= this.#perDay
    const isOtherDay = isUsedUp || this.#excludedVideos.has(videoId)
    return Math.max(
      isOtherDay ? this.#history.days.startOf(this.#day + 1) : this.#startMs,
      (this.#hard & 2) !== 0 ? artist.lastEndMs + this.#artistMs : this.#startMs,
      (this.#hard & 4) !== 0 ? lastStartMs + this.#videoMs : this.#startMs,
      ...(this.#closedTags.size === 0
        ? []
        : video.tags.map((tag) => this.#closedTags.get(tag.toLowerCase()) ?? this.#startMs)),
    )
  }
}

/** Ids of the videos that are excluded on a date. */
function excludedOn(day: DayNumber, exclusions: readonly Exclusion[]): ReadonlySet<string> {
  if (exclusions.length === 0) return new Set()
  const date = isoDate(day)
  return new Set(exclusions.filter(({ untilDate }) => date < untilDate).map(({ videoId }) => videoId))
}
