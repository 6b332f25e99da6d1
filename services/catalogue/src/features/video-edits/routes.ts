import {
  catalogueVideoEdit,
  catalogueVideoEditMany,
  catalogueVideoPreviewEdit,
  catalogueVideoUndoEdit,
} from '@looptide/contracts/operations/catalogue/videos'
import { requireVersion } from '@looptide/service-kit/http/conditional'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import { presentVideo } from '../videos/present-video.ts'
import type { BulkEditService } from './bulk-edit-service.ts'
import type { EditService } from './edit-service.ts'
import { videoEtag } from './video-etag.ts'

/** Routes of edits of videos. */
export const editRoutes = ({
  edits,
  bulkEdits,
}: {
  edits: EditService
  bulkEdits: BulkEditService
}): Route[] => [
  route(catalogueVideoEdit, async ({ params, body, expected, cause }) => {
    const row = await edits.edit(
      params.id,
      body,
      (current) => requireVersion(expected, videoEtag(current)),
      cause,
    )
    return answer(200, presentVideo(row), { etag: videoEtag(row) })
  }),
  route(catalogueVideoEditMany, async ({ body, cause }) => ({ count: await bulkEdits.edit(body, cause) })),
  route(catalogueVideoPreviewEdit, ({ body: { ids, fields } }) => bulkEdits.preview(ids, fields)),
  route(catalogueVideoUndoEdit, ({ params, cause }) => bulkEdits.undo(params.id, cause)),
]
