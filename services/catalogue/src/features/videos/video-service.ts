import type { ImportRow } from '@looptide/contracts/http/video-import'
import type { AddVideosBody, AddVideosResult } from '@looptide/contracts/http/videos'
import { appendAudit, auditEvent } from '@looptide/service-kit/audit'
import { AppError, errors } from '@looptide/service-kit/errors'
import { appendEvents, type Cause } from '@looptide/service-kit/outbox'
import type { CatalogueDb, VideoRow } from '../../db/schema.ts'
import { DeletedVideoService } from '../deleted-videos/deleted-video-service.ts'
import { isRestricted } from '../playlists/playlist-repository.ts'
import {
  type Adder,
  addsWithoutReview,
  NOBODY_EXEMPT,
  reviews,
  type SubmissionExempt,
} from '../submissions/may-add.ts'
import { insertSubmitter } from '../submissions/submission-repository.ts'
import { SubmissionService } from '../submissions/submission-service.ts'
import { type SubmissionLimits, submitVideos } from '../submissions/submit-videos.ts'
import { categoryOf, findNamed, keyOf, keyOfLine, newVideos, verdicts } from './new-videos.ts'
import { AUDIT, addedEvents, HOME_CHANGED, metadataRequests, updatedEvents } from './video-events.ts'
import {
  countAddedBy,
  findLoading,
  insertVideos,
  type NewVideo,
  queueBulkChange,
  setCategory,
  setPending,
} from './video-repository.ts'
import { type ParsedLine, parseVideoLine } from './video-url.ts'

const HOUR_MS = 3_600_000
const ADDS_PER_HOUR = 200
/** Most videos of one person that wait for a moderator's decision. */
const MOST_WAITING = 50
/** Most videos whose metadata one request asks for again. */
const REQUEST_LIMIT = 5000

export interface VideoServiceOptions {
  rateLimitFactor: number
  /** Whose videos are accepted without review, besides admins'. */
  submissionExempt?: SubmissionExempt
  submissions?: SubmissionService
  deleted?: DeletedVideoService
  now?: () => number
}

export class VideoService {
  readonly #db: CatalogueDb
  readonly #limits: SubmissionLimits
  readonly #exempt: SubmissionExempt
  readonly #submissions: SubmissionService
  readonly #deleted: DeletedVideoService
  readonly #now: () => number

  constructor(db: CatalogueDb, options: VideoServiceOptions) {
    this.#db = db
    const scaled = (limit: number) => Math.max(1, Math.round(limit * options.rateLimitFactor))
    this.#limits = { perHour: scaled(ADDS_PER_HOUR), waiting: scaled(MOST_WAITING) }
    this.#exempt = options.submissionExempt ?? NOBODY_EXEMPT
    this.#submissions = options.submissions ?? new SubmissionService(db)
    this.#deleted = options.deleted ?? new DeletedVideoService(db)
    this.#now = options.now ?? Date.now
  }

  /**
   * Adds what these lines name and answers the result of each. What the library has already is answered as it is
   * there; what an admin adds that was deleted lately is restored. Videos of people who are not exempt from review are submitted: they wait for a moderator, at most 50 of one
   * person (`unprocessable`). People who are not admins add at most 200 in an hour (`rate_limited`), set no category
   * (`forbidden`), and nothing while they are restricted (`user_restricted`).
   */
  async add(
    { urls, allowUnplayableUrls = false, ...facts }: AddVideosBody,
    adder: Adder,
    cause: Cause,
  ): Promise<AddVideosResult> {
    const rows = urls.map((url) => ({ url, ...facts }))
    return this.addRows(rows, adder, cause, allowUnplayableUrls)
  }

  /**
   * As {@link add}, where each row says its own artist, genre and category. With `keepOthers` an admin also adds web
   * addresses that no player plays.
   */
  async addRows(
    rows: readonly ImportRow[],
    adder: Adder,
    cause: Cause,
    keepOthers = false,
  ): Promise<AddVideosResult> {
    const isAdmin = adder.role === 'admin'
    const parsed = rows.map(({ url }) => parseVideoLine(url, isAdmin, isAdmin && keepOthers))
    const wanted = newVideos(parsed, rows, adder, this.#now())
    if (!isAdmin) await this.#checkPermission(rows, adder)
    if (!addsWithoutReview(adder, this.#exempt)) return this.#submit(rows, parsed, wanted, adder, cause)
    if (!isAdmin) await this.#limitAdds(adder.id, wanted.length)
    const accepted = await this.#acceptNamed(rows, parsed, adder, cause)
    if (isAdmin) accepted.push(...(await this.#deleted.restoreNamed(parsed, cause)))
    const { added, same } = await this.#db.transaction().execute(async (trx) => {
      const fresh = wanted.length === 0 ? [] : await insertVideos(trx, wanted)
      const byAdmin = isAdmin && fresh.length > 0 ? [auditOfAdding(fresh), HOME_CHANGED] : []
      await appendEvents(trx, [...addedEvents(fresh), ...metadataRequests(fresh, false), ...byAdmin], cause)
      const named = await findNamed(trx, parsed)
      const underReview = named.flatMap((row) => (row.reviewState === null ? [] : [row.id]))
      await insertSubmitter(trx, adder.id, underReview)
      return { added: fresh, same: named }
    })
    const fresh = [...added, ...same.filter((row) => accepted.includes(row.id))]
    return verdicts(rows, parsed, new Set(fresh.map(keyOf)), same)
  }

  /** Refuses what people who are not admins may not do. */
  async #checkPermission(rows: readonly ImportRow[], { id }: Adder): Promise<void> {
    if (rows.some((row) => row.category !== undefined)) {
      throw errors.forbidden('Only admins can choose a category.')
    }
    if (await isRestricted(this.#db, id, new Date(this.#now()))) {
      throw new AppError('user_restricted', 'Your account is restricted: you cannot add videos.')
    }
  }

  async #submit(
    rows: readonly ImportRow[],
    parsed: readonly ParsedLine[],
    wanted: readonly NewVideo[],
    { id }: Adder,
    cause: Cause,
  ): Promise<AddVideosResult> {
    const bounds = { limits: this.#limits, nowMs: this.#now() }
    const { submitted, same } = await this.#db.transaction().execute(async (trx) => ({
      submitted: await submitVideos(trx, { wanted, parsed }, id, bounds, cause),
      same: await findNamed(trx, parsed),
    }))
    const fresh = same.filter((row) => submitted.includes(row.id))
    return verdicts(rows, parsed, new Set(fresh.map(keyOf)), same)
  }

  /**
   * Accepts those of the named videos that are under review; what a moderator has rejected only for one who may decide
   * that. In transactions of its own: a decision takes the kept counts in another order than an insert does.
   */
  async #acceptNamed(
    rows: readonly ImportRow[],
    parsed: readonly ParsedLine[],
    adder: Adder,
    cause: Cause,
  ): Promise<string[]> {
    const named = (await findNamed(this.#db, parsed)).filter(
      ({ reviewState }) => reviewState === 'submitted' || (reviewState === 'rejected' && reviews(adder.role)),
    )
    const lineOf = (key: string) =>
      parsed.findIndex((line) => line.kind !== 'skipped' && keyOfLine(line) === key)
    const byCategory = Map.groupBy(named, (row) => {
      const line = rows[lineOf(keyOf(row))]
      return line === undefined ? 'New Video Submissions' : categoryOf(line, adder)
    })
    const accepted: string[] = []
    for (const [category, videos] of byCategory) {
      const ids = videos.map((row) => row.id)
      accepted.push(...(await this.#submissions.accept({ ids, category }, cause)))
    }
    return accepted
  }

  /** What {@link addRows} would answer an admin; nothing is written. */
  async tryRows(rows: readonly ImportRow[]): Promise<AddVideosResult> {
    const parsed = rows.map(({ url }) => parseVideoLine(url, true))
    const same = await findNamed(this.#db, parsed)
    // A video under review is not in the library yet: adding it accepts it.
    const known = new Set(same.filter((row) => row.reviewState === null).map(keyOf))
    const fresh = parsed.flatMap((line) => (line.kind === 'skipped' ? [] : [keyOfLine(line)]))
    return verdicts(rows, parsed, new Set(fresh.filter((key) => !known.has(key))), same)
  }

  /** Adds videos of which all is known; nobody has to be asked. Answers how many were not there yet. */
  async addKnown(videos: readonly NewVideo[], cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const rows = await insertVideos(trx, videos)
      await appendEvents(trx, addedEvents(rows), cause)
      return rows.length
    })
  }

  async #limitAdds(userId: string, adding: number): Promise<void> {
    const before = await countAddedBy(this.#db, userId, new Date(this.#now() - HOUR_MS))
    if (before + adding > this.#limits.perHour) {
      throw new AppError('rate_limited', 'Too many videos added. Please wait before adding more.', {
        retryAfterMs: HOUR_MS / 4,
      })
    }
  }

  /** Tells the audit log that the library was taken out as a file. */
  async noteExport(cause: Cause): Promise<void> {
    await this.#db
      .transaction()
      .execute((trx) => appendAudit(trx, AUDIT, { action: 'video.export', targetType: 'video' }, cause))
  }

  /** Moves these videos to a category; answers how many changed. */
  async move(ids: readonly string[], category: string, cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      await queueBulkChange(trx)
      const rows = await setCategory(trx, ids, category)
      if (rows.length === 0) return 0
      const after = { category }
      const details = { videos: rows.map(({ id, title }) => ({ id, title })) }
      const facts = {
        action: 'video.move',
        targetType: 'video',
        targetId: rows[0]?.id,
        after,
        details,
      } as const
      await appendEvents(trx, [...updatedEvents(rows), auditEvent(AUDIT, facts)], cause)
      return rows.length
    })
  }

  /**
   * Asks YouTube again: about `ids`, or about all that still show the placeholder title. Answers about
   * how many it asks.
   */
  async updateMetadata(ids: readonly string[] | undefined, cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const wanted = ids ?? (await findLoading(trx, REQUEST_LIMIT))
      const rows = wanted.length === 0 ? [] : await setPending(trx, wanted)
      if (rows.length === 0) return 0
      const facts = { action: 'video.update_metadata', targetType: 'video', targetId: rows[0]?.id } as const
      const details = { count: rows.length, ids: rows.slice(0, 500).map((row) => row.id) }
      const audit = auditEvent(AUDIT, { ...facts, details })
      await appendEvents(trx, [...metadataRequests(rows, true), audit], cause)
      return rows.length
    })
  }
}

function auditOfAdding(rows: readonly VideoRow[]) {
  const after = rows.map(({ id, videoUrl, category }) => ({ id, videoUrl, category }))
  return auditEvent(AUDIT, { action: 'video.add', targetType: 'video', targetId: rows[0]?.id, after })
}

/** The refusal for a video that is not there, or not for this person. */
export const noSuchVideo = (): AppError => errors.notFound('This video')

/** The refusal to put a video under review where others would see it. */
export const notAccepted = (): AppError => errors.conflict('This video has not been accepted yet.')
