import {
  type ChannelOverview,
  OVERVIEW_AHEAD_MS,
  type OverviewProblem,
  type OverviewProgramme,
  type StationOverview,
} from '@looptide/contracts/http/overview'
import { formatDuration } from '@looptide/playhead/duration'
import type { CachedText } from '@looptide/service-kit/http/cached-text'
import type { Kysely } from 'kysely'
import { findShortLoops } from '../channels/short-loop-repository.ts'
import type { ChannelRow, Database } from '../db/schema.ts'
import { countQuarantined } from '../library/video-repository.ts'
import type { ScheduleReader } from '../schedule/schedule-reader.ts'
import { listSubmittedDrafts } from '../schedule/schedule-repository.ts'
import type { CachedChannel, CachedProgramme, TimelineCache } from '../timeline/timeline-cache.ts'
import { programmesBetween } from './now-response.ts'
import { activeChannels, versionKey } from './station-guide.ts'
import { TextCache } from './text-cache.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Age at which an overview without other changes is rendered again, in ms. */
const RENDER_MS = 5_000
/** Hard starts are looked for this far ahead, in ms. */
const HARD_START_AHEAD_MS = 7 * 24 * HOUR_MS
/** A timeline that ends earlier is a problem, in ms ahead. */
const PLANNED_AHEAD_MS = HOUR_MS
const MAX_PROGRAMMES = 30
const MAX_PROBLEMS = 5
/** Videos in quarantine are counted up to this number. */
const MAX_QUARANTINED = 1_000

interface OverviewDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  schedules: ScheduleReader
  /** See {@link findShortLoops} (ms). */
  fallbackMaxMs: number
}

/** Problems of channels by id, and the minute and versions for which they were found. */
interface FoundProblems {
  key: string
  problems: Promise<ReadonlyMap<string, readonly OverviewProblem[]>>
}

/**
 * The overview of all channels as JSON text. Everybody who watches shares one rendering: it is renewed every five seconds
 * while somebody asks, and when a channel or what waits for a person changes. Problems of schedules and playlists are looked for once a minute.
 */
export class StationOverviews {
  readonly #deps: OverviewDeps
  readonly #texts = new TextCache(1)
  #found: FoundProblems | undefined

  constructor(deps: OverviewDeps) {
    this.#deps = deps
  }

  async get(nowMs: number): Promise<CachedText> {
    const channels = activeChannels(this.#deps.timelines)
    const versions = channels.map(({ row }) => versionKey(row))
    const [submittedDrafts, quarantinedCount] = await Promise.all([
      listSubmittedDrafts(this.#deps.db),
      countQuarantined(this.#deps.db, new Date(0), MAX_QUARANTINED),
    ])
    const waiting = [submittedDrafts, quarantinedCount]
    const signature = JSON.stringify([Math.floor(nowMs / RENDER_MS), waiting, ...versions])
    return this.#texts.get('', signature, async () => {
      const key = JSON.stringify([Math.floor(nowMs / MINUTE_MS), ...versions])
      const problems = await this.#problemsAt(key, channels, nowMs)
      const overview: StationOverview = {
        channels: channels.map((channel) =>
          this.#channel(channel, nowMs, problems.get(channel.row.id) ?? []),
        ),
        quarantinedCount,
        submittedDrafts,
      }
      return JSON.stringify(overview)
    })
  }

  #problemsAt(key: string, channels: readonly CachedChannel[], nowMs: number): FoundProblems['problems'] {
    if (this.#found?.key === key) return this.#found.problems
    const found = { key, problems: this.#findProblems(channels, nowMs) }
    this.#found = found
    // After a failure the next request looks again.
    found.problems.catch(() => {
      if (this.#found === found) this.#found = undefined
    })
    return found.problems
  }

  #channel(
    { row, programmes }: CachedChannel,
    nowMs: number,
    known: readonly OverviewProblem[],
  ): ChannelOverview {
    const { timelines } = this.#deps
    const { id, name, status, endsAtMs } = row
    const isOn = status !== 'idle'
    return {
      channelId: id,
      name,
      status,
      programmes: isOn
        ? nextProgrammes(programmes, nowMs).map((programme) => this.#programme(id, programme))
        : [],
      nextHardStart: timelines.nextHardStart(id, nowMs, nowMs + HARD_START_AHEAD_MS),
      plannedUntilMs: endsAtMs,
      problems: [...stateProblems(row, nowMs), ...known].slice(0, MAX_PROBLEMS),
    }
  }

  #programme(channelId: string, cached: CachedProgramme): OverviewProgramme {
    const { startsAtMs, endsAtMs, block, video } = this.#deps.timelines.present(channelId, cached)
    return {
      startsAtMs,
      endsAtMs,
      title: video?.title ?? null,
      artistName: video?.artistName ?? '',
      thumbnailUrl: video?.thumbnailUrl ?? null,
      blockName: block?.name ?? null,
    }
  }

  async #findProblems(channels: readonly CachedChannel[], nowMs: number) {
    const { db, schedules, fallbackMaxMs } = this.#deps
    const found = new Map<string, OverviewProblem[]>()
    const add = (id: string, problem: OverviewProblem) => found.set(id, [...(found.get(id) ?? []), problem])
    for (const { row } of channels) {
      if (row.scheduleVersion === 0) continue
      const programming = await schedules.programming(db, row, 'edit')
      for (const { message: text } of programming.problemsAt(nowMs)) add(row.id, { text, part: 'schedule' })
    }
    for (const { channelId, loop } of await findShortLoops(db, fallbackMaxMs)) {
      const text = `The playlist repeats every ${formatDuration(loop.durationMs)}.`
      if (loop.videosCount > 0) add(channelId, { text, part: 'playlist' })
    }
    return found
  }
}

/** The programmes of the next minutes, and at least the current and the next one. */
function nextProgrammes(programmes: readonly CachedProgramme[], nowMs: number): CachedProgramme[] {
  const found = programmesBetween(programmes, nowMs, nowMs + OVERVIEW_AHEAD_MS, MAX_PROGRAMMES)
  return found.length > 1 ? found : programmesBetween(programmes, nowMs, Number.POSITIVE_INFINITY, 2)
}

function stateProblems({ status, endsAtMs }: ChannelRow, nowMs: number): OverviewProblem[] {
  if (status === 'idle') return [{ text: 'The stream is stopped.', part: 'stream' }]
  if (endsAtMs === null || endsAtMs <= nowMs) return [{ text: 'Nothing is planned.', part: 'stream' }]
  const minutes = Math.floor((endsAtMs - nowMs) / MINUTE_MS)
  if (endsAtMs - nowMs >= PLANNED_AHEAD_MS) return []
  return [{ text: `Planned for only ${minutes} more minutes.`, part: 'stream' }]
}
