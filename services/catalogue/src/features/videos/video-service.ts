import { type AddVideosBody, type AddVideosResult, MAX_URLS_PER_ADD } from '@looptide/contracts/http/videos'
import { DEFAULT_DURATION_MS } from '@looptide/playhead/duration'
import { appendAudit } from '@looptide/service-kit/audit'
import { AppError, errors } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import { appendEvent, appendEvents, type Cause } from '@looptide/service-kit/outbox'
import type { CatalogueDb, CatalogueTrx, VideoRow } from '../../db/schema.ts'
import { cleanText, TEXT_LIMITS } from './clean-text.ts'
import { presentVideo } from './present-video.ts'
import {
  countAddedBy,
  deleteVideos,
  findLoading,
  findSame,
  insertVideos,
  type NewVideo,
  queueBulkChange,
  setCategory,
  setPending,
} from './video-repository.ts'
import { embedUrl, type ParsedLine, parseVideoLine, thumbnailUrl, titleOfMedia } from './video-url.ts'

/** What a video has until somebody knows better (admin specification §4, §5). */
export const PLACEHOLDER = { title: 'Loading...', artistName: 'Unknown Artist', genre: 'Music' } as const

const HOUR_MS = 3_600_000
const ADDS_PER_HOUR = 200
/** Most videos whose metadata one request asks for again. */
const REQUEST_LIMIT = 5000

export interface Adder {
  id: string
  isAdmin: boolean
}

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
  async add(body: AddVideosBody, adder: Adder, cause: Cause): Promise<AddVideosResult> {
    const parsed = body.urls.map((line) => parseVideoLine(line, adder.isAdmin))
    const wanted = this.#newVideos(parsed, body, adder)
    if (!adder.isAdmin) await this.#limitAdds(adder.id, wanted.length)
    const { added, same } = await this.#db.transaction().execute(async (trx) => {
      const rows = wanted.length === 0 ? [] : await insertVideos(trx, wanted)
      await announceAdded(trx, rows, cause)
      await requestMetadata(trx, rows, false, cause)
      if (adder.isAdmin && rows.length > 0) await this.#auditAdded(trx, rows, cause)
      const others = await findSame(
        trx,
        parsed.flatMap((line) => (line.kind === 'youtube' ? [line.youtubeId] : [])),
        parsed.flatMap((line) => (line.kind === 'media' ? [line.url] : [])),
      )
      return { added: rows, same: others }
    })
    return verdicts(body.urls, parsed, added, same)
  }

  /** Adds videos of which all is known; nobody has to be asked. Answers how many were not there yet. */
  async addKnown(videos: readonly NewVideo[], cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      const rows = await insertVideos(trx, videos)
      await announceAdded(trx, rows, cause)
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

  #newVideos(parsed: readonly ParsedLine[], body: AddVideosBody, adder: Adder): NewVideo[] {
    const artist = cleanText(body.artistName ?? '', TEXT_LIMITS.artistName)
    const common = {
      artistName: artist === '' ? PLACEHOLDER.artistName : artist,
      artistGiven: artist !== '',
      description: null,
      genre: cleanText(body.genre ?? '', TEXT_LIMITS.genre) || PLACEHOLDER.genre,
      category: body.category ?? (adder.isAdmin ? 'New Video Submissions' : 'YouTube Playlist'),
      durationMs: DEFAULT_DURATION_MS,
      durationAssumed: true,
      isPublic: true,
      unavailableReason: null,
      userId: adder.id,
    }
    const unique = new Map<string, NewVideo>()
    for (const line of parsed) {
      if (line.kind === 'skipped') continue
      const key = line.kind === 'youtube' ? line.youtubeId : line.url
      // One millisecond apart, so that the list shows them in the order of the lines.
      const id = newId(this.#now() + unique.size)
      if (!unique.has(key)) unique.set(key, { id, ...common, ...factsOf(line) })
    }
    return [...unique.values()]
  }

  async #auditAdded(trx: CatalogueTrx, rows: readonly VideoRow[], cause: Cause): Promise<void> {
    const after = rows.map(({ id, videoUrl, category }) => ({ id, videoUrl, category }))
    const facts = { action: 'video.add', targetType: 'video', targetId: rows[0]?.id, after }
    await appendAudit(trx, 'catalogue.audit.recorded.v1', facts, cause)
    await appendEvent(trx, 'catalogue.home.changed.v1', 'home', {}, cause)
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
      await appendEvents(trx, events, cause)
      await appendEvent(trx, 'catalogue.home.changed.v1', 'home', {}, cause)
      const before = rows.map(({ id, title, videoUrl }) => ({ id, title, videoUrl }))
      const facts = { action: 'video.delete', targetType: 'video', targetId: rows[0]?.id, before }
      await appendAudit(trx, 'catalogue.audit.recorded.v1', facts, cause)
      return rows.length
    })
  }

  /** Moves these videos to a category; answers how many changed. */
  async move(ids: readonly string[], category: string, cause: Cause): Promise<number> {
    return this.#db.transaction().execute(async (trx) => {
      await queueBulkChange(trx)
      const rows = await setCategory(trx, ids, category)
      if (rows.length === 0) return 0
      await announceUpdated(trx, rows, cause)
      const after = { category, ids: rows.map((row) => row.id) }
      const facts = { action: 'video.move', targetType: 'video', targetId: rows[0]?.id, after }
      await appendAudit(trx, 'catalogue.audit.recorded.v1', facts, cause)
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
      await requestMetadata(trx, rows, true, cause)
      const facts = { action: 'video.update_metadata', targetType: 'video', targetId: rows[0]?.id }
      const details = { count: rows.length, ids: rows.slice(0, 500).map((row) => row.id) }
      await appendAudit(trx, 'catalogue.audit.recorded.v1', { ...facts, details }, cause)
      return rows.length
    })
  }
}

const factsOf = (line: Exclude<ParsedLine, { kind: 'skipped' }>) =>
  line.kind === 'youtube'
    ? {
        title: PLACEHOLDER.title,
        videoUrl: embedUrl(line.youtubeId),
        youtubeId: line.youtubeId,
        thumbnailUrl: thumbnailUrl(line.youtubeId),
        metadataStatus: 'pending' as const,
      }
    : {
        title: cleanText(titleOfMedia(line.url), TEXT_LIMITS.title),
        videoUrl: line.url,
        youtubeId: null,
        thumbnailUrl: null,
        metadataStatus: 'resolved' as const,
      }

const keyOf = (row: VideoRow): string => row.youtubeId ?? row.videoUrl

function verdicts(
  urls: readonly string[],
  parsed: readonly ParsedLine[],
  added: readonly VideoRow[],
  same: readonly VideoRow[],
): AddVideosResult {
  const byKey = new Map(same.map((row) => [keyOf(row), row]))
  const fresh = new Set(added.map(keyOf))
  const lines = parsed.map((line, index): AddVideosResult['lines'][number] => {
    const url = urls[index] ?? ''
    if (line.kind === 'skipped') return { url, verdict: 'skipped', reason: line.reason, video: null }
    const key = line.kind === 'youtube' ? line.youtubeId : line.url
    const row = byKey.get(key)
    // A repeated line of the same request is a duplicate of the first one.
    const verdict = fresh.delete(key) ? 'added' : 'duplicate'
    return { url, verdict, reason: null, video: row === undefined ? null : presentVideo(row) }
  })
  return { lines, added: added.length, skipped: lines.filter((line) => line.verdict === 'skipped').length }
}

/** Tells of rows that are new, in the transaction that adds them. */
async function announceAdded(trx: CatalogueTrx, rows: readonly VideoRow[], cause: Cause): Promise<void> {
  const events = rows.map((row) => ({
    type: 'catalogue.video.added.v1' as const,
    aggregateId: row.id,
    data: { video: presentVideo(row) },
  }))
  await appendEvents(trx, events, cause)
}

/** Tells of rows that changed, in the transaction of the change. */
export async function announceUpdated(
  trx: CatalogueTrx,
  rows: readonly VideoRow[],
  cause: Cause,
): Promise<void> {
  const events = rows.map((row) => ({
    type: 'catalogue.video.updated.v1' as const,
    aggregateId: row.id,
    data: { video: presentVideo(row) },
  }))
  await appendEvents(trx, events, cause)
}

/** Asks the metadata worker about those of `rows` that are on YouTube. */
export async function requestMetadata(
  trx: CatalogueTrx,
  rows: readonly VideoRow[],
  force: boolean,
  cause: Cause,
): Promise<void> {
  const youtubeIds = rows.flatMap((row) => row.youtubeId ?? [])
  for (let from = 0; from < youtubeIds.length; from += MAX_URLS_PER_ADD) {
    const chunk = youtubeIds.slice(from, from + MAX_URLS_PER_ADD)
    const data = { youtubeIds: chunk, force }
    await appendEvent(trx, 'catalogue.metadata.requested.v1', chunk[0] ?? '', data, cause)
  }
}

/** The refusal for a video that is not there, or not for this person. */
export const noSuchVideo = (): AppError => errors.notFound('This video')
