import {
  catalogueJobCancel,
  catalogueJobDelete,
  catalogueJobEdit,
  catalogueJobGet,
  catalogueJobImport,
  catalogueJobList,
  catalogueJobMove,
  catalogueJobRestore,
  catalogueJobUndo,
} from '@looptide/contracts/operations/catalogue/video-jobs'
import type { Guard } from '@looptide/service-kit/limits/guard'
import { type Route, route } from '@looptide/service-kit/routes/route'
import type { CatalogueDb } from '../../db/schema.ts'
import { checkDelete } from '../videos/check-delete.ts'
import { selectedIds } from '../videos/selected-ids.ts'
import type { JobService } from './job-service.ts'

/** Routes of changes of many videos. */
export const jobRoutes = ({
  db,
  jobs,
  guard,
}: {
  db: CatalogueDb
  jobs: JobService
  guard: Guard
}): Route[] => [
  route(catalogueJobEdit, async ({ body: { videos, fields }, cause }) =>
    jobs.start('edit', await selectedIds(db, videos), { fields }, cause),
  ),
  route(catalogueJobMove, async ({ body: { videos, category }, cause }) =>
    jobs.start('move', await selectedIds(db, videos), { fields: { category } }, cause),
  ),
  route(catalogueJobDelete, async ({ body: { videos }, request, cause }) => {
    const ids = await selectedIds(db, videos)
    await checkDelete(request, guard, 'video.delete.admin', ids.length)
    return jobs.start('delete', ids, {}, cause)
  }),
  route(catalogueJobRestore, async ({ body: { ids }, cause }) =>
    jobs.start('restore', await selectedIds(db, { ids }), {}, cause),
  ),
  route(catalogueJobImport, ({ body, cause }) => jobs.startImport(body, cause)),
  route(catalogueJobList, ({ query: { limit = 100, cursor } }) => jobs.list(limit, cursor)),
  route(catalogueJobGet, ({ params }) => jobs.get(params.id)),
  route(catalogueJobCancel, ({ params, cause }) => jobs.cancel(params.id, cause)),
  route(catalogueJobUndo, async ({ params, request, cause }) => {
    const deleted = await jobs.countDeletedByUndo(params.id)
    if (deleted > 0) await checkDelete(request, guard, 'video.delete.admin', deleted)
    return jobs.undo(params.id, cause)
  }),
]
