import {
  MAX_PREVIEW_AHEAD_MS,
  MAX_PREVIEW_MS,
  type RelaxableRule,
  type ScheduleBreach,
  type SchedulePreview,
  type SchedulePreviewBody,
  type SourcePreview,
  type SourcePreviewBody,
} from '@looptide/contracts/http/schedules'
import type { Rules, ScheduleDocument } from '@looptide/contracts/schedule'
import type { ScheduledProgramme } from '@looptide/planner/plan'
import { itemsOf } from '@looptide/planner/source-items'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import pLimit from 'p-limit'
import { readSnapshot } from '../db/read-snapshot.ts'
import type { ChannelRow, Database, ProgrammeRow, Store } from '../db/schema.ts'
import { lastFixed, programmesFrom, programmesOverlapping } from '../timeline/timeline-repository.ts'
import { checkDocument } from './check-document.ts'
import { freezeMsOf } from './freeze-interval.ts'
import type { PlanStart } from './plan-start.ts'
import { presentPreview, previewTexts } from './present-preview.ts'
import { findChannelRow } from './published-schedule.ts'
import { currentDraft } from './schedule-drafts.ts'
import { findBlock, type ScheduleMaterial } from './schedule-material.ts'
import { ScheduleProgramming } from './schedule-programming.ts'
import type { ScheduleReader } from './schedule-reader.ts'

const DAY_MS = 86_400_000
/** Up to this time ahead (ms), a preview is planned from now on and therefore shows what will be on the air. */
const EXACT_MS = 8 * DAY_MS
/** Maximum number of waiting previews. Planning one with a large library takes a second. */
const MAX_WAITING = 20

interface PreviewDeps {
  db: Kysely<Database>
  schedules: ScheduleReader
  now: () => number
}

/** The start of a planned preview, and the unchanged programmes before it. */
interface PreviewStart extends PlanStart {
  fromMs: number
  fixed: readonly ProgrammeRow[]
}

/** Previews of schedules. They are planned one at a time, in slices, so that other requests are answered. */
export class SchedulePreviews {
  readonly #deps: PreviewDeps
  readonly #limit = pLimit(1)

  constructor(deps: PreviewDeps) {
    this.#deps = deps
  }

  /** Throws `not_found`, and `validation_failed` for a period that is too long or too far ahead. */
  preview(channelId: string, body: SchedulePreviewBody): Promise<SchedulePreview> {
    const nowMs = this.#deps.now()
    const [fromMs, toMs] = [Date.parse(body.from), Date.parse(body.to)]
    if (!(fromMs < toMs)) throw errors.validation('The end of a preview must be after its beginning.')
    if (toMs - fromMs > MAX_PREVIEW_MS) throw errors.validation('A preview can cover at most 8 days.')
    if (toMs > nowMs + MAX_PREVIEW_AHEAD_MS)
      throw errors.validation('A preview can end at most 5 years ahead.')
    if (this.#limit.pendingCount >= MAX_WAITING) {
      throw new AppError('rate_limited', 'Too many previews at once. Please try again.', {
        retryAfterMs: 5000,
      })
    }
    return this.#limit(() => this.#preview(channelId, body.document, { fromMs, toMs, nowMs }))
  }

  /** The videos of a source. Throws `not_found`. */
  async source(channelId: string, { source }: SourcePreviewBody): Promise<SourcePreview> {
    const { db, schedules, now } = this.#deps
    const channel = await findChannelRow(db, channelId)
    const document: ScheduleDocument = { timeZone: 'UTC', defaultSource: 'source', sources: { source } }
    const { library, playlists } = await schedules.material(db, channel, document, 0)
    const playlist = source.kind === 'playlist' ? (playlists.get(source.channelId ?? '') ?? []) : []
    const items = itemsOf({ source, playlist, library: library.videos, nowMs: now() })
    const byId = new Map(library.videos.map((video) => [video.id, video]))
    const videos = items.flatMap(({ videoId }) => byId.get(videoId) ?? [])
    return {
      count: videos.length,
      totalDurationMs: videos.reduce((sum, { durationMs }) => sum + durationMs, 0),
      items: videos.slice(0, 10).map(({ id, title, artistName, durationMs }) => ({
        videoId: id,
        title,
        artistName,
        durationMs,
      })),
    }
  }

  async #preview(
    channelId: string,
    document: unknown,
    span: { fromMs: number; toMs: number; nowMs: number },
  ): Promise<SchedulePreview> {
    const isExact = span.fromMs < span.nowMs + EXACT_MS
    const read = await this.#read(channelId, document, { ...span, isExact })
    if (read.material === undefined) return { programmes: [], breaches: [], isExact, problems: read.problems }
    const { programmes } = await read.programming.planSpan(read.start, read.start.fromMs, span.toMs)
    const inSpan = programmes.filter(
      ({ startsAtMs, endsAtMs }) => endsAtMs > span.fromMs && startsAtMs < span.toMs,
    )
    const shown = [...read.start.fixed, ...inSpan]
    const texts = await previewTexts(this.#deps.db, shown)
    return {
      programmes: shown.map((programme) => presentPreview(programme, texts)),
      problems: read.problems,
      breaches: inSpan.flatMap((programme) => breachesOf(programme, read.material.document, texts)),
      isExact,
    }
  }

  /** Reads everything that a preview needs from one state of the database. */
  #read(
    channelId: string,
    document: unknown,
    span: { fromMs: number; toMs: number; nowMs: number; isExact: boolean },
  ) {
    const { db, schedules } = this.#deps
    return readSnapshot(db, async (trx) => {
      const channel = await findChannelRow(trx, channelId)
      const given = document ?? (await currentDraft(trx, channel)).draft.document
      const { problems, material } = await checkDocument(trx, schedules, channel, given, span.nowMs)
      if (material === undefined) return { problems, material }
      const programming = new ScheduleProgramming(channel, material, 'edit')
      return {
        problems,
        material,
        programming,
        start: await startOf(trx, channel, programming, material, span),
      }
    })
  }
}

async function startOf(
  db: Store,
  channel: ChannelRow,
  programming: ScheduleProgramming,
  { document }: ScheduleMaterial,
  { fromMs, toMs, nowMs, isExact }: { fromMs: number; toMs: number; nowMs: number; isExact: boolean },
): Promise<PreviewStart> {
  if (!isExact) return { fromMs, state: null, history: [], fixed: [] }
  const last =
    channel.status === 'idle' ? undefined : await lastFixed(db, channel, nowMs + freezeMsOf(document))
  if (last === undefined || last.endsAtMs <= nowMs) {
    return { ...(await programming.startFrom(db, nowMs)), fromMs: nowMs, fixed: [] }
  }
  const start = await programming.startAfter(db, { fixed: last, startsAtMs: last.endsAtMs }, 'edit')
  const replaced = await programmesFrom(db, channel.id, last.seq + 1)
  const planned = replaced.flatMap(({ itemId }) => itemId ?? [])
  const kept = await programmesOverlapping(db, channel.id, fromMs, Math.min(toMs, last.endsAtMs))
  return { ...start, planned, fromMs: last.endsAtMs, fixed: kept }
}

const RULE_TEXTS: Record<RelaxableRule, (rules: Rules) => string> = {
  artistSeparationMinutes: (rules) =>
    `${rules.artistSeparationMinutes?.value} minutes between videos of an artist`,
  videoSeparationHours: (rules) => `${rules.videoSeparationHours?.value} hours between airings of a video`,
  maxAiringsPerDay: (rules) => `at most ${rules.maxAiringsPerDay?.value} airings of a video per day`,
  maxDurationMinutes: (rules) => `at most ${rules.maxDurationMinutes?.value} minutes per video`,
}

function breachesOf(
  { videoId, startsAtMs, reason }: ScheduledProgramme,
  document: ScheduleDocument,
  texts: Awaited<ReturnType<typeof previewTexts>>,
): ScheduleBreach[] {
  const { title = 'A video', artistName = '' } = texts.get(videoId ?? '') ?? {}
  const video = artistName === '' ? title : `${title} – ${artistName}`
  const rules = { ...document.rules, ...findBlock(document, reason)?.rules }
  return reason.relaxed.map((rule) => ({
    rule,
    startsAt: new Date(startsAtMs).toISOString(),
    detail: `${video}: the rule "${RULE_TEXTS[rule](rules)}" was relaxed, since "${reason.source}" had nothing better.`,
  }))
}
