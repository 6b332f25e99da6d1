import type { Exclusion, Rules, ScheduleDocument } from '@looptide/contracts/schedule'
import { textKey } from '@looptide/contracts/text'
import { type Airing, artistKey, keySet, type LibraryVideo } from './library.ts'
import { type DayNumber, isoDate, type LocalDays } from './local-days.ts'
import { indexOf } from './source-items.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/**
 * The rules that can be relaxed, in the order in which they are relaxed: viewers notice a repeat on the same day least
 * and an overlong video most.
 */
const RELAXATION_ORDER = [
  'maxAiringsPerDay',
  'artistSeparationMinutes',
  'videoSeparationHours',
  'maxDurationMinutes',
] as const
export type RelaxableRule = (typeof RELAXATION_ORDER)[number]

/** A rule that a video breaks that a person puts on the air. */
export type BrokenRule = RelaxableRule | 'excludedArtists' | 'exclusions' | 'tagWindows'

/** Whether the planner itself may relax a rule. */
export const isRelaxable = (rule: BrokenRule): rule is RelaxableRule =>
  RELAXATION_ORDER.some((relaxable) => relaxable === rule)

/** Rules as a bit set: bit n is rule n of {@link RELAXATION_ORDER}. A smaller number breaches less important rules. */
export type RuleSet = number

const MAX_AIRINGS: RuleSet = 1
const ARTIST_SEPARATION: RuleSet = 2
const VIDEO_SEPARATION: RuleSet = 4
const MAX_DURATION: RuleSet = 8

/** The rules in `set`, the most important one first. */
export function rulesIn(set: RuleSet): RelaxableRule[] {
  return RELAXATION_ORDER.filter((_, bit) => (set & (1 << bit)) !== 0).reverse()
}

/** The rules that apply in a block. */
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
  /** Start of the last programme that was its turn (epoch ms). */
  lastTurnMs: number
  airings: { day: DayNumber; count: number }
}

/** The airings that rules depend on: the last one of each video and artist, and those of the current day. */
export class AirHistory {
  readonly days: LocalDays
  readonly #videos: ReadonlyMap<string, LibraryVideo>
  /** States of the videos that were looked up: a plan of an hour needs few of a large library. */
  readonly #states = new Map<string, VideoState>()
  readonly #artists = new Map<string, { lastEndMs: number }>()

  constructor(library: readonly LibraryVideo[], days: LocalDays, history: readonly Airing[]) {
    this.days = days
    this.#videos = indexOf(library)
    for (const airing of history) this.record(airing)
  }

  record({ videoId, startsAtMs, endsAtMs, turns = videoId === null ? [] : [videoId] }: Airing): void {
    for (const id of turns) {
      const turn = this.#stateOf(id)
      if (turn !== undefined) turn.lastTurnMs = Math.max(turn.lastTurnMs, startsAtMs)
    }
    const state = videoId === null ? undefined : this.#stateOf(videoId)
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

  /** Start (epoch ms) of the last programme that was the video's turn; -Infinity if there was none. */
  lastTurnOf(videoId: string): number {
    return this.#states.get(videoId)?.lastTurnMs ?? Number.NEGATIVE_INFINITY
  }

  stateOf(videoId: string): Readonly<VideoState> | undefined {
    return this.#stateOf(videoId)
  }

  #stateOf(videoId: string): VideoState | undefined {
    const known = this.#states.get(videoId)
    if (known !== undefined) return known
    const video = this.#videos.get(videoId)
    if (video === undefined) return undefined
    const key = artistKey(video)
    const artist = this.#artists.get(key) ?? { lastEndMs: Number.NEGATIVE_INFINITY }
    this.#artists.set(key, artist)
    const [lastStartMs, lastTurnMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
    const state = { video, artist, lastStartMs, lastTurnMs, airings: { day: 0, count: 0 } }
    this.#states.set(videoId, state)
    return state
  }
}

const NONE: readonly BrokenRule[] = []

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
      closedTags.set(textKey(tag), Math.max(closedTags.get(textKey(tag)) ?? 0, opensAtMs))
    }
    this.#closedTags = closedTags
    this.#excludedArtists = keySet(rules.excludedArtists)
    this.#excludedVideos = excludedOn(this.#day, rules.exclusions ?? [])
  }

  /** The soft rules that the video would breach if it started now; undefined if it would breach a hard one. */
  breaches(videoId: string): RuleSet | undefined {
    const state = this.#history.stateOf(videoId)
    if (state === undefined) return undefined
    const set = this.#relaxed(state)
    return (set & this.#hard) !== 0 || this.#forbidding(state.video).length > 0 ? undefined : set
  }

  /** The most important hard rule that forbids the video now; undefined if none does. */
  forbiddenBy(videoId: string): BrokenRule | undefined {
    const state = this.#history.stateOf(videoId)
    if (state === undefined) return undefined
    return this.#forbidding(state.video)[0] ?? rulesIn(this.#relaxed(state) & this.#hard)[0]
  }

  /** All rules that the video would break if it started now. */
  broken(videoId: string): BrokenRule[] {
    const state = this.#history.stateOf(videoId)
    return state === undefined ? [] : [...this.#forbidding(state.video), ...rulesIn(this.#relaxed(state))]
  }

  #relaxed({ video, artist, lastStartMs, airings }: VideoState): RuleSet {
    return (
      (airings.day === this.#day && airings.count >= this.#perDay ? MAX_AIRINGS : 0) |
      (this.#startMs - artist.lastEndMs < this.#artistMs ? ARTIST_SEPARATION : 0) |
      (this.#startMs - lastStartMs < this.#videoMs ? VIDEO_SEPARATION : 0) |
      (video.durationMs > this.#maxMs ? MAX_DURATION : 0)
    )
  }

  /** The rules that are never relaxed and forbid the video now. */
  #forbidding({ id, artistName, tags }: LibraryVideo): readonly BrokenRule[] {
    const isExcluded = this.#excludedVideos.has(id)
    const isArtistExcluded = this.#excludedArtists.size > 0 && this.#excludedArtists.has(textKey(artistName))
    const isClosed = this.#closedTags.size > 0 && tags.some((tag) => this.#closedTags.has(textKey(tag)))
    if (!isExcluded && !isArtistExcluded && !isClosed) return NONE
    return [
      ...(isExcluded ? (['exclusions'] as const) : []),
      ...(isArtistExcluded ? (['excludedArtists'] as const) : []),
      ...(isClosed ? (['tagWindows'] as const) : []),
    ]
  }

  /** The first instant (epoch ms) at which hard rules may allow a video that they forbid now, if no other one airs. */
  allowedFrom(videoId: string): number {
    const state = this.#history.stateOf(videoId)
    if (state === undefined) return Number.POSITIVE_INFINITY
    const { video, artist, lastStartMs, airings } = state
    const isNever =
      (this.#isHard(MAX_DURATION) && video.durationMs > this.#maxMs) ||
      (this.#excludedArtists.size > 0 && this.#excludedArtists.has(textKey(video.artistName)))
    if (isNever) return Number.POSITIVE_INFINITY
    const isUsedUp = this.#isHard(MAX_AIRINGS) && airings.day === this.#day && airings.count >= this.#perDay
    const isOtherDay = isUsedUp || this.#excludedVideos.has(videoId)
    return Math.max(
      isOtherDay ? this.#history.days.startOf(this.#day + 1) : this.#startMs,
      this.#isHard(ARTIST_SEPARATION) ? artist.lastEndMs + this.#artistMs : this.#startMs,
      this.#isHard(VIDEO_SEPARATION) ? lastStartMs + this.#videoMs : this.#startMs,
      ...(this.#closedTags.size === 0
        ? []
        : video.tags.map((tag) => this.#closedTags.get(textKey(tag)) ?? this.#startMs)),
    )
  }

  #isHard(rule: RuleSet): boolean {
    return (this.#hard & rule) !== 0
  }
}

/** Ids of the videos that are excluded on a date. */
function excludedOn(day: DayNumber, exclusions: readonly Exclusion[]): ReadonlySet<string> {
  if (exclusions.length === 0) return new Set()
  const date = isoDate(day)
  return new Set(exclusions.filter(({ untilDate }) => date < untilDate).map(({ videoId }) => videoId))
}
