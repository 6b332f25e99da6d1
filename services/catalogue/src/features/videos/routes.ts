import { Readable } from 'node:stream'
import {
  catalogueVideoAdd,
  catalogueVideoCountView,
  catalogueVideoDelete,
  catalogueVideoExport,
  catalogueVideoGet,
  catalogueVideoImport,
  catalogueVideoList,
  catalogueVideoListIds,
  catalogueVideoListInternally,
  catalogueVideoListTags,
  catalogueVideoLookUp,
  catalogueVideoMove,
  catalogueVideoUpdateMetadata,
} from '@looptide/contracts/operations/catalogue/videos'
import { requireFreshFactor, requirePermission } from '@looptide/service-kit/identity/request-user'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { CatalogueDb } from '../../db/schema.ts'
import type { DeletedVideoService } from '../deleted-videos/deleted-video-service.ts'
import { videoEtag } from '../video-edits/video-etag.ts'
import { checkDelete } from './check-delete.ts'
import { exportVideos } from './export-videos.ts'
import { presentVideo } from './present-video.ts'
import { noSuchVideo } from './video-errors.ts'
import { libraryPage, videoIdPage, videoPage } from './video-lists.ts'
import { listTags } from './video-repository.ts'
import type { VideoService } from './video-service.ts'
import { countView } from './view-service.ts'
import { findVisible, findVisibleVideo } from './visible-videos.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Routes of videos for viewers and other services. */
export const videoRoutes = ({ db, videos }: { db: CatalogueDb; videos: VideoService }): Route[] => [
  route(catalogueVideoList, ({ query, request }) => {
    if (query.all === true) requirePermission(request, 'videos:edit')
    return videoPage(db, query)
  }),
  route(catalogueVideoGet, async ({ params, user }) => {
    const row = await findVisibleVideo(db, params.id, user)
    if (row === undefined) throw noSuchVideo()
    return answer(200, presentVideo(row), { etag: videoEtag(row) })
  }),
  route(catalogueVideoLookUp, async ({ query, user }) => {
    const ids = query.ids.split(',').filter((id) => UUID.test(id))
    return { items: (await findVisible(db, ids, user)).map(presentVideo) }
  }),
  route(catalogueVideoAdd, ({ user: { id, role }, body, cause }) => videos.add(body, { id, role }, cause)),
  route(catalogueVideoCountView, ({ params, user }) => countView(db, params.id, user, Date.now())),
  route(catalogueVideoListInternally, ({ query }) => libraryPage(db, query)),
]

interface LibraryDeps {
  db: CatalogueDb
  videos: VideoService
  deleted: DeletedVideoService
  guard: Guard
}

/** Routes of the library for those who edit it. */
export const libraryRoutes = ({ db, videos, deleted, guard }: LibraryDeps): Route[] => [
  route(catalogueVideoListIds, ({ query }) => videoIdPage(db, query)),
  route(catalogueVideoListTags, async () => ({ items: await listTags(db) })),
  route(catalogueVideoImport, ({ body: { rows, dryRun }, user, cause }) =>
    dryRun ? videos.previewRows(rows) : videos.addRows(rows, user, cause),
  ),
  route(catalogueVideoMove, async ({ body: { ids, category }, cause }) => ({
    count: await videos.move(ids, category, cause),
  })),
  route(catalogueVideoUpdateMetadata, async ({ body, cause }) => {
    const youtubeIds = await videos.updateMetadata(body.ids, cause)
    return { count: youtubeIds.length, youtubeIds }
  }),
  route(catalogueVideoDelete, async ({ body: { ids }, request, cause }) => {
    await checkDelete(request, guard, 'video.delete.admin', ids.length)
    return { count: await deleted.delete(ids, cause) }
  }),
  route(catalogueVideoExport, async ({ request, cause, reply }) => {
    requireFreshFactor(request)
    await videos.auditExport(cause)
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="video-library.csv"')
      .header('cache-control', 'no-store')
      .send(Readable.from(exportVideos(db)))
  }),
]
