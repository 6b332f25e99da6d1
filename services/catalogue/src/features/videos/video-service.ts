import type { ImportRow } from '@looptide/contracts/http/video-import'
import { type AddVideosBody, type AddVideosResult, MAX_URLS_PER_ADD } from '@looptide/contracts/http/videos'
import { appendAudit, auditEvent } from '@looptide/service-kit/audit'
import { AppError, errors } from '@looptide/service-kit/errors'
import { appendEvents, type Cause } from '@looptide/service-kit/outbox'
import type { CatalogueDb, VideoRow } from '../../db/schema.ts'
import { type Adder, findNamed, keyOf, keyOfLine, newVideos, verdicts } from './new-videos.ts'
import { presentVideo } from './present-video.ts'
import {
  countAddedBy,
  deleteVideos,
  findLoading,
  insertVideos,
  type NewVideo,
  queueBulkChange,
  setCategory,
  setPending,
} from './video-repository.ts'
import { parseVideoLine } from './video-url.ts'

const HOUR_MS = 3_600_000
const ADDS_PER_HOUR = 200
/** Most videos whose metadata one request asks for again. */
const REQUEST_LIMIT = 5000

export class VideoService {
  readonly #db: CatalogueDb
  readonly #addsPerHour: number
  readonly #now: () => number

  constructor(db: CatalogueDb, options: { rateLimitFactor: number; now?: () => number }) {
    this.#db = db
    this.#addsPerHour = Math.max(1, Math.round(ADDS_PER_HOUR * options.rateLimitFactor))
    this.#now = options.now ?? Date.now
  }

  /**
   * Adds what these lines name and answers a verdict for each. What the library has already is answered
   * as it is there. People who are not admins add at most 200 in an hour (`rate_limited`).
   */
  async add({ urls, ...facts }: AddVideosBody, adder: Adder, cause: Cause): Promise<AddVideosResult> {
    return this.addRows(
      urls.map((url) => ({ url, ...facts })),
      adder,
      cause,
    )
  }

  /** As {@link add}, where each row says its own artist, genre and category. */
  async addRows(rows: readonly ImportRow[], adder: Adder, cause: Cause): Promise<AddVideosResult> {
    const parsed = rows.map(({ url }) => parseVideoLine(url, adder.isAdmin))
    const wanted = newVideos(parsed, rows, adder, this.#now())
    if (!adder.isAdmin) await this.#limitAdds(adder.id, wanted.length)
    const { added, same } = await this.#db.transaction().execute(async (trx) => {
      const fresh = wanted.length === 0 ? [] : await insertVideos(trx, wanted)
      const byAdmin = adder.isAdmin && fresh.length > 0 ? [auditOfAdding(fresh), HOME_CHANGED] : []
      await appendEvents(trx, [...addedEvents(fresh), ...metadataRequests(fresh, false), ...byAdmin], cause)
      return { added: fresh, same: await findNamed(trx, parsed) }
    })
    return verdicts(rows, parsed, new Set(added.map(keyOf)), same)
  }

  /** What {@link addRows} would answer an admin; nothing is written. */
  async tryRows(rows: readonly ImportRow[]): Promise<AddVideosResult> {
    const parsed = rows.map(({ url }) => parseVideoLine(url, true))
    const same = await findNamed(this.#db, parsed)
    const known = new Set(same.map(keyOf))
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
    if (before + adding > this.#addsPerHour) {
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

  /** Deletes these videos everywhere in the catalogue; answers how many there were. */
  async delete(ids: readonly string[], cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      await queueBulkChange(trx)
      const rows = await deleteVideos(trx, ids)
      if (rows.length === 0) return 0
      const events = rows.map((row) => ({
        type: 'catalogue.video.removed.v1' as const,
        aggregateId: row.id,
        data: { videoId: row.id },
      }))
      const before = rows.map(({ id, title, videoUrl }) => ({ id, title, videoUrl }))
      const facts = { action: 'video.delete', targetType: 'video', targetId: rows[0]?.id, before }
      await appendEvents(trx, [...events, HOME_CHANGED, auditEvent(AUDIT, facts)], cause)
      return rows.length
    })
  }

  /** Moves these videos to a category; answers how many changed. */
  async move(ids: readonly string[], category: string, cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      await queueBulkChange(trx)
      const rows = await setCategory(trx, ids, category)
      if (rows.length === 0) return 0
      const after = { category, ids: rows.map((row) => row.id) }
      const facts = { action: 'video.move', targetType: 'video', targetId: rows[0]?.id, after }
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
      const facts = { action: 'video.update_metadata', targetType: 'video', targetId: rows[0]?.id }
      const details = { count: rows.length, ids: rows.slice(0, 500).map((row) => row.id) }
      const audit = auditEvent(AUDIT, { ...facts, details })
      await appendEvents(trx, [...metadataRequests(rows, true), audit], cause)
      return rows.length
    })
  }
}

const AUDIT = 'catalogue.audit.recorded.v1'
const HOME_CHANGED = { type: 'catalogue.home.changed.v1', aggregateId: 'home', data: {} } as const

/** Tells of rows that are new. */
const addedEvents = (rows: readonly VideoRow[]) =>
  rows.map((row) => ({
    type: 'catalogue.video.added.v1' as const,
    aggregateId: row.id,
    data: { video: presentVideo(row) },
  }))

function auditOfAdding(rows: readonly VideoRow[]) {
  const after = rows.map(({ id, videoUrl, category }) => ({ id, videoUrl, category }))
  return auditEvent(AUDIT, { action: 'video.add', targetType: 'video', targetId: rows[0]?.id, after })
}

/** Tells of rows that changed. */
export const updatedEvents = (rows: readonly VideoRow[]) =>
  rows.map((row) => ({
    type: 'catalogue.video.updated.v1' as const,
    aggregateId: row.id,
    data: { video: presentVideo(row) },
  }))

/** Ask the metadata worker about those of `rows` that are on YouTube. */
export function metadataRequests(rows: readonly VideoRow[], force: boolean) {
  const youtubeIds = rows.flatMap((row) => row.youtubeId ?? [])
  const chunks = Array.from({ length: Math.ceil(youtubeIds.length / MAX_URLS_PER_ADD) }, (_, n) =>
    youtubeIds.slice(n * MAX_URLS_PER_ADD, (n + 1) * MAX_URLS_PER_ADD),
  )
  return chunks.map((chunk) => ({
    type: 'catalogue.metadata.requested.v1' as const,
    aggregateId: chunk[0] ?? '',
    data: { youtubeIds: chunk, force },
  }))
}

/** The refusal for a video that is not there, or not for this person. */
export const noSuchVideo = (): AppError => errors.notFound('This video')
