import type { AddCurationBody, CurationItem, UpdateCurationBody } from '@looptide/contracts/http/videos'
import { appendAudit } from '@looptide/service-kit/audit'
import { errors } from '@looptide/service-kit/errors'
import { newId } from '@looptide/service-kit/ids'
import { appendEvent, type Cause } from '@looptide/service-kit/outbox'
import type { Static } from 'typebox'
import type { CatalogueDb, CatalogueTrx, CurationRow, VideoRow } from '../../db/schema.ts'
import { cleanOrNull } from '../videos/clean-text.ts'
import { presentVideo } from '../videos/present-video.ts'
import { findVideo, findVideos } from '../videos/video-repository.ts'
import { noSuchVideo } from '../videos/video-service.ts'
import {
  countCuration,
  deleteCuration,
  findCuration,
  insertCuration,
  listCuration,
  nextPosition,
  updateCuration,
} from './curation-repository.ts'

const MOST_ITEMS = 2000

/** The home page's curation. Every change is audited and announced. */
export class CurationService {
  readonly #db: CatalogueDb

  constructor(db: CatalogueDb) {
    this.#db = db
  }

  /** One page and one row more, with the videos. */
  async list(
    limit: number,
    cursor: string | undefined,
  ): Promise<{ item: CurationRow; video: VideoRow | undefined }[]> {
    const items = await listCuration(this.#db, limit, cursor)
    const ids = items.map((item) => item.videoId)
    const videos = new Map((await findVideos(this.#db, ids)).map((row) => [row.id, row]))
    return items.map((item) => ({ item, video: videos.get(item.videoId) }))
  }

  /** Puts a video behind the last one of a section. A category needs a name; the others have none. */
  async add(body: Static<typeof AddCurationBody>, cause: Cause): Promise<CurationItem> {
    const sectionName = body.sectionType === 'category' ? cleanOrNull(body.sectionName, 100) : null
    if (body.sectionType === 'category' && sectionName === null) {
      throw errors.validation('A category section needs a name.', [
        { path: '/sectionName', message: 'is missing' },
      ])
    }
    return this.#db.transaction().execute(async (trx) => {
      const video = await findVideo(trx, body.videoId)
      if (video === undefined) throw noSuchVideo()
      if ((await countCuration(trx)) >= MOST_ITEMS) throw errors.conflict('The home page is full.')
      const position = await nextPosition(trx, body.sectionType, sectionName)
      const { videoId, sectionType } = body
      const createdBy = cause.actorId ?? null
      const item = await insertCuration(trx, {
        id: newId(),
        videoId,
        sectionType,
        sectionName,
        position,
        createdBy,
      })
      await announce(trx, 'home.add', null, item, cause)
      return presentCuration(item, video)
    })
  }

  async update(id: string, change: Static<typeof UpdateCurationBody>, cause: Cause): Promise<CurationItem> {
    return this.#db.transaction().execute(async (trx) => {
      const before = await findCuration(trx, id)
      if (before === undefined) throw errors.notFound('This item')
      const after = await updateCuration(trx, id, change)
      await announce(trx, 'home.update', before, after, cause)
      return presentCuration(after, await findVideo(trx, after.videoId))
    })
  }

  async remove(id: string, cause: Cause): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const before = await deleteCuration(trx, id)
      if (before === undefined) throw errors.notFound('This item')
      await announce(trx, 'home.remove', before, null, cause)
    })
  }
}

async function announce(
  trx: CatalogueTrx,
  action: string,
  before: CurationRow | null,
  after: CurationRow | null,
  cause: Cause,
): Promise<void> {
  const facts = { action, targetType: 'home_screen_curation', targetId: (after ?? before)?.id, before, after }
  await appendAudit(trx, 'catalogue.audit.recorded.v1', facts, cause)
  await appendEvent(trx, 'catalogue.home.changed.v1', 'home', {}, cause)
}

export const presentCuration = (item: CurationRow, video: VideoRow | undefined): CurationItem => ({
  id: item.id,
  videoId: item.videoId,
  sectionType: item.sectionType,
  sectionName: item.sectionName,
  position: item.position,
  isActive: item.isActive,
  video: video === undefined ? null : presentVideo(video),
})
