import {
  catalogueVideoListDeleted,
  catalogueVideoPurge,
  catalogueVideoRestore,
} from '@looptide/contracts/operations/catalogue/videos'
import { toPage } from '@looptide/service-kit/http/cursor'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import { checkDelete } from '../videos/check-delete.ts'
import { deletedCursor } from './deleted-video-repository.ts'
import { type DeletedVideoService, presentDeleted } from './deleted-video-service.ts'

/** Routes of recently deleted videos. */
export const deletedVideoRoutes = ({
  deleted,
  guard,
}: {
  deleted: DeletedVideoService
  guard: Guard
}): Route[] => [
  route(catalogueVideoListDeleted, async ({ query: { limit = 100, cursor } }) => {
    const { rows, total } = await deleted.list(limit, cursor)
    return { ...toPage(rows, limit, presentDeleted, deletedCursor), total }
  }),
  route(catalogueVideoRestore, ({ body, cause }) => deleted.restore(body.ids, cause)),
  route(catalogueVideoPurge, async ({ body: { ids }, request, cause }) => {
    await checkDelete(request, guard, 'video.purge.admin', ids.length)
    return { count: await deleted.purge(ids, cause) }
  }),
]
