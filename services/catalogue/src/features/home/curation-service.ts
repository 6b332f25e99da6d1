import type { AddCurationBody, CurationItem, UpdateCurationBody } from '@looptide/contracts/http/videos'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/events/outbox'
import { type ExpectedVersion, requireVersion } from '@looptide/service-kit/http/conditional'
import { errors } from '@looptide/service-kit/http/errors'
import type { CatalogueDb, CatalogueTrx, CurationRow, VideoRow } from '../../db/schema.ts'
import { cleanOrNull } from '../videos/clean-text.ts'
import { presentVideo } from '../videos/present-video.ts'
import { noSuchVideo, notAccepted } from '../videos/video-errors.ts'
import { findVideo, findVideos } from '../videos/video-repository.ts'
import {
  countCuration,
  curationVersion,
  deleteCuration,
  insertCuration,
  listCuration,
  lockCuration,
  lockCurationItem,
  MAX_ITEMS,
  sectionOrder,
  setCurationActive,
  writeOrder,
} from './curation-repository.ts'

/** Manages the curation of the home page. Every change is audited and published. */
export class CurationService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  /** The ETag of the order of all sections. */
  async etag(): Promise<string> {
    return etagOf(await curationVersion(this.#db))
  }

  /** One page and one extra row, with the videos. */
  async list(
    limit: number,
    cursor: string | undefined,
  ): Promise<{ item: CurationRow; video: VideoRow | undefined }[]> {
    const items = await listCuration(this.#db, limit, cursor)
    const ids = items.map((item) => item.videoId)
    const videos = new Map((await findVideos(this.#db, ids)).map((row) => [row.id, row]))
    return items.map((item) => ({ item, video: videos.get(item.videoId) }))
  }

  /** Adds a video to a section, at `position` or at the end. A category section needs a name; the others have none. */
  async add(body: AddCurationBody, cause: Cause): Promise<CurationItem> {
    const sectionName = body.sectionType === 'category' ? cleanOrNull(body.sectionName, 100) : null
    if (body.sectionType === 'category' && sectionName === null) {
      throw errors.validation('A category section needs a name.', [
        { path: '/sectionName', message: 'is missing' },
      ])
    }
    return this.#db.transaction().execute(async (trx) => {
      const video = await findVideo(trx, body.videoId)
      if (video === undefined) throw noSuchVideo()
      if (video.reviewState !== null) throw notAccepted()
      await lockCuration(trx)
      if ((await countCuration(trx)) >= MAX_ITEMS) throw errors.conflict('The home page is full.')
      const { videoId, sectionType, isActive = true } = body
      const others = await sectionOrder(trx, { sectionType, sectionName })
      const position = Math.min(body.position ?? Number.POSITIVE_INFINITY, others.length + 1)
      const createdBy = cause.actorId ?? null
      const id = newId()
      const item = await insertCuration(trx, {
        id,
        videoId,
        sectionType,
        sectionName,
        position,
        isActive,
        createdBy,
      })
      await writeOrder(trx, others.toSpliced(position - 1, 0, id))
      await publishChange(trx, 'home.add', { before: null, after: item, video }, cause)
      return presentCuration(item, video)
    })
  }

  /**
   * Switches an item on or off, or moves it to another position in its section. Throws `not_found`, and
   * `precondition_failed` if the order has another version than `expected`.
   */
  async update(
    id: string,
    change: UpdateCurationBody,
    cause: Cause,
    expected?: ExpectedVersion,
  ): Promise<CurationItem> {
    return this.#db.transaction().execute(async (trx) => {
      await lockCuration(trx)
      if (expected !== undefined) requireVersion(expected, etagOf(await curationVersion(trx)))
      const before = await lockCurationItem(trx, id)
      if (before === undefined) throw errors.notFound('This item')
      if (change.position !== undefined) {
        const others = (await sectionOrder(trx, before)).filter((other) => other !== id)
        await writeOrder(trx, others.toSpliced(change.position - 1, 0, id))
      }
      const after = await setCurationActive(trx, id, change.isActive ?? before.isActive)
      const video = await findVideo(trx, after.videoId)
      await publishChange(trx, 'home.update', { before, after, video }, cause)
      return presentCuration(after, video)
    })
  }

  /** Removes an item and closes the gap in the positions of its section. */
  async remove(id: string, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      await lockCuration(trx)
      const before = await deleteCuration(trx, id)
      if (before === undefined) throw errors.notFound('This item')
      await writeOrder(trx, await sectionOrder(trx, before))
      const video = await findVideo(trx, before.videoId)
      await publishChange(trx, 'home.remove', { before, after: null, video }, cause)
    })
  }
}

const etagOf = (version: string): string => `"${version}"`

async function publishChange(
  trx: CatalogueTrx,
  action: 'home.add' | 'home.update' | 'home.remove',
  change: { before: CurationRow | null; after: CurationRow | null; video: VideoRow | undefined },
  cause: Cause,
): Promise<void> {
  const { before, after, video } = change
  const target = { targetType: 'home_screen_curation', targetId: (after ?? before)?.id }
  const facts = { action, ...target, before, after, details: { videoTitle: video?.title ?? null } }
  await appendAudit(trx, 'catalogue.audit.recorded.v1', facts, cause)
  await appendEvent(trx, 'catalogue.home.changed.v1', 'home', {}, cause)
}

/** An item of the home screen as admins see it. `video` is undefined if it was not found. */
export const presentCuration = (item: CurationRow, video: VideoRow | undefined): CurationItem => ({
  id: item.id,
  videoId: item.videoId,
  sectionType: item.sectionType,
  sectionName: item.sectionName,
  position: item.position,
  isActive: item.isActive,
  video: video === undefined ? null : presentVideo(video),
})
