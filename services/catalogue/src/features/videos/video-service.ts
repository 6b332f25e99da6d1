import type { ImportRow } from '@looptide/contracts/http/video-import'
import { type AddVideosBody, type AddVideosResult, MAX_URLS_PER_ADD } from '@looptide/contracts/http/videos'
import { may } from '@looptide/contracts/permissions'
import { splitPastedLine } from '@looptide/contracts/youtube-url'
import { appendAudit, auditEvent } from '@looptide/service-kit/audit/audit'
import { beginFirstStep } from '@looptide/service-kit/db/first-start'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { CatalogueDb, VideoRow } from '../../db/schema.ts'
import { DeletedVideoService } from '../deleted-videos/deleted-video-service.ts'
import { requestMetadata } from '../metadata/request-metadata.ts'
import { isRestricted } from '../shared/restriction-repository.ts'
import {
  type Adder,
  isExemptFromReview,
  NO_EXEMPTIONS,
  type SubmissionExempt,
} from '../submissions/review-policy.ts'
import { insertSubmitter } from '../submissions/submission-repository.ts'
import { SubmissionService } from '../submissions/submission-service.ts'
import { type SubmissionLimits, submitVideos } from '../submissions/submit-videos.ts'
import {
  type Candidate,
  checkImportedTrim,
  findByLines,
  findReviewed,
  lineResults,
  newVideos,
  sourceKeyOf,
  sourceKeyOfLine,
} from './new-videos.ts'
import { AUDIT, addedEvents, HOME_CHANGED, metadataRequests, updatedEvents } from './video-events.ts'
import {
  countAddedBy,
  findWithPlaceholderTitle,
  insertVideos,
  lockBulkChanges,
  type NewVideo,
  setCategory,
  setPending,
} from './video-repository.ts'
import { type ParsedLine, parseVideoLine } from './video-url.ts'

const HOUR_MS = 3_600_000
const ADDS_PER_HOUR = 200
/** Maximum videos of one user that await a moderator's decision. */
const MAX_UNDECIDED = 50
/** Maximum videos whose metadata one call requests again. */
const MAX_METADATA_REQUESTS = 5000

interface SubmittedLines {
  rows: readonly ImportRow[]
  parsed: readonly ParsedLine[]
  candidates: readonly Candidate[]
}

export interface VideoServiceOptions {
  rateLimitFactor: number
  /** Users whose videos are accepted without review. Videos of those who edit the library always are. */
  submissionExempt?: SubmissionExempt
  submissions?: SubmissionService
  deleted?: DeletedVideoService
  now?: () => number
}

/** Adds and changes videos of the library. Every change is published; changes by admins are audited. */
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
    this.#limits = { perHour: scaled(ADDS_PER_HOUR), undecided: scaled(MAX_UNDECIDED) }
    this.#exempt = options.submissionExempt ?? NO_EXEMPTIONS
    this.#submissions = options.submissions ?? new SubmissionService(db)
    this.#deleted = options.deleted ?? new DeletedVideoService(db)
    this.#now = options.now ?? Date.now
  }

  /**
   * Adds the videos of `urls`, all with the same artist, genre and category. Returns a result for each line, or for each URL
   * of a line that contains several; see {@link addRows}. `validation_failed` for more than 500 URLs.
   */
  async add(
    { urls, allowUnplayableUrls = false, ...facts }: AddVideosBody,
    adder: Adder,
    cause: Cause,
  ): Promise<AddVideosResult> {
    const rows = urls.flatMap(splitPastedLine).map((url) => ({ url, ...facts }))
    if (rows.length > MAX_URLS_PER_ADD) {
      throw errors.validation(`Please add at most ${MAX_URLS_PER_ADD} URLs at a time.`)
    }
    return this.addRows(rows, adder, cause, allowUnplayableUrls)
  }

  /**
   * Adds one video per row and returns a result for each row, in their order. Existing videos stay unchanged and are
   * returned as duplicates. For those who edit the library, recently deleted videos are restored; with `allowUnplayable`, URLs that no player
   * supports are added as well.
   *
   * Videos of users who are not exempt from review are submitted. A user has at most 50 undecided submissions
   * (`unprocessable`). Users who do not edit the library add at most 200 videos an hour (`rate_limited`), cannot set a category
   * (`forbidden`), and cannot add videos while restricted (`user_restricted`). Trim points that leave less than a second
   * are `validation_failed`.
   */
  async addRows(
    rows: readonly ImportRow[],
    adder: Adder,
    cause: Cause,
    allowUnplayable = false,
  ): Promise<AddVideosResult> {
    const mayEdit = may(adder.role, 'videos:edit')
    for (const row of rows) checkImportedTrim(row)
    const parsed = rows.map(({ url }) => parseVideoLine(url, mayEdit, mayEdit && allowUnplayable))
    const candidates = newVideos(parsed, rows, adder, this.#now())
    if (!mayEdit) await this.#checkPermission(rows, adder)
    if (!isExemptFromReview(adder, this.#exempt)) {
      return this.#submit({ rows, parsed, candidates }, adder, cause)
    }
    if (!mayEdit) await this.#limitAdds(adder.id, candidates.length)
    const acceptedIds = await this.#acceptSubmitted({ parsed, candidates }, adder, cause)
    if (mayEdit) acceptedIds.push(...(await this.#deleted.restoreLines(parsed, cause)))
    const { inserted, existing } = await this.#db.transaction().execute(async (trx) => {
      const inserted = candidates.length === 0 ? [] : await insertVideos(trx, candidates)
      const editorEvents = mayEdit && inserted.length > 0 ? [addAudit(inserted), HOME_CHANGED] : []
      await appendEvents(
        trx,
        [...addedEvents(inserted), ...(await requestMetadata(trx, inserted)), ...editorEvents],
        cause,
      )
      const insertedKeys = new Set(inserted.map(sourceKeyOf))
      const others = parsed.filter(
        (line) => line.kind !== 'skipped' && !insertedKeys.has(sourceKeyOfLine(line)),
      )
      const existing = [...inserted, ...(await findByLines(trx, others))]
      const underReview = existing.flatMap((row) => (row.reviewState === null ? [] : [row.id]))
      await insertSubmitter(trx, adder.id, underReview)
      return { inserted, existing }
    })
    const added = [...inserted, ...existing.filter((row) => acceptedIds.includes(row.id))]
    return lineResults(rows, parsed, new Set(added.map(sourceKeyOf)), existing)
  }

  /** Checks the rules for users who do not edit the library. */
  async #checkPermission(rows: readonly ImportRow[], { id }: Adder): Promise<void> {
    if (rows.some((row) => row.category !== undefined)) {
      throw errors.forbidden('You cannot choose a category.')
    }
    if (await isRestricted(this.#db, id, new Date(this.#now()))) {
      throw new AppError('user_restricted', 'Your account is restricted: you cannot add videos.')
    }
  }

  async #submit(
    { rows, parsed, candidates }: SubmittedLines,
    { id }: Adder,
    cause: Cause,
  ): Promise<AddVideosResult> {
    const options = { limits: this.#limits, nowMs: this.#now() }
    const { submittedIds, existing } = await this.#db.transaction().execute(async (trx) => ({
      submittedIds: await submitVideos(trx, { candidates, parsed }, id, options, cause),
      existing: await findByLines(trx, parsed),
    }))
    const submitted = existing.filter((row) => submittedIds.includes(row.id))
    return lineResults(rows, parsed, new Set(submitted.map(sourceKeyOf)), existing)
  }

  /**
   * Accepts the candidates that are under review, with the adder's values instead of those of the submitters; rejected ones
   * only if the user reviews or edits. Returns their ids. Runs in transactions of its own, because accepting locks the counts
   * in another order than inserting.
   */
  async #acceptSubmitted(
    { parsed, candidates }: Omit<SubmittedLines, 'rows'>,
    adder: Adder,
    cause: Cause,
  ): Promise<string[]> {
    const given = await findReviewed(this.#db, parsed, candidates, adder.role)
    const acceptedIds: string[] = []
    for (const [category, videos] of Map.groupBy(given, (video) => video.category)) {
      const ids = videos.map(({ videoId }) => videoId)
      acceptedIds.push(...(await this.#submissions.accept({ ids, category }, cause, videos)))
    }
    return acceptedIds
  }

  /** The result of {@link addRows} for an admin, without writing anything. */
  async previewRows(rows: readonly ImportRow[]): Promise<AddVideosResult> {
    for (const row of rows) checkImportedTrim(row)
    const parsed = rows.map(({ url }) => parseVideoLine(url, true))
    const existing = await findByLines(this.#db, parsed)
    // A video under review counts as new: adding it accepts it.
    const known = new Set(existing.filter((row) => row.reviewState === null).map(sourceKeyOf))
    const keys = parsed.flatMap((line) => (line.kind === 'skipped' ? [] : [sourceKeyOfLine(line)]))
    return lineResults(rows, parsed, new Set(keys.filter((key) => !known.has(key))), existing)
  }

  /**
   * Adds videos with complete metadata, and requests none. Returns the number of new videos.
   *
   * @param firstStep the step of the first start that adds them: done before, nothing is added
   */
  async addResolved(videos: readonly NewVideo[], cause: Cause, firstStep?: string): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      if (firstStep !== undefined && !(await beginFirstStep(trx, firstStep))) return 0
      const rows = await insertVideos(trx, videos)
      await appendEvents(trx, addedEvents(rows), cause)
      return rows.length
    })
  }

  async #limitAdds(userId: string, count: number): Promise<void> {
    const before = await countAddedBy(this.#db, userId, new Date(this.#now() - HOUR_MS))
    if (before + count > this.#limits.perHour) {
      throw new AppError('rate_limited', 'Too many videos added. Please wait before adding more.', {
        retryAfterMs: HOUR_MS / 4,
      })
    }
  }

  /** Audits an export of the library. */
  async auditExport(cause: Cause): Promise<void> {
    await this.#db
      .transaction()
      .execute((trx) => appendAudit(trx, AUDIT, { action: 'video.export', targetType: 'video' }, cause))
  }

  /** Moves these videos to a category and returns the number of changed ones. */
  async move(ids: readonly string[], category: string, cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      await lockBulkChanges(trx)
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
   * Requests the metadata of `ids` again, by default of all videos that still have the placeholder title. Returns the
   * YouTube ids of the requested videos.
   */
  async updateMetadata(ids: readonly string[] | undefined, cause: Cause): Promise<string[]> {
    return this.#db.transaction().execute(async (trx) => {
      const requested = ids ?? (await findWithPlaceholderTitle(trx, MAX_METADATA_REQUESTS))
      const rows = requested.length === 0 ? [] : await setPending(trx, requested)
      if (rows.length === 0) return []
      const facts = { action: 'video.update_metadata', targetType: 'video', targetId: rows[0]?.id } as const
      const details = { count: rows.length, ids: rows.slice(0, 500).map((row) => row.id) }
      const audit = auditEvent(AUDIT, { ...facts, details })
      await appendEvents(trx, [...metadataRequests(rows, true), audit], cause)
      return rows.flatMap((row) => row.youtubeId ?? [])
    })
  }
}

function addAudit(rows: readonly VideoRow[]) {
  const after = rows.map(({ id, videoUrl, category }) => ({ id, videoUrl, category }))
  return auditEvent(AUDIT, { action: 'video.add', targetType: 'video', targetId: rows[0]?.id, after })
}
