import {
  catalogueVideoEdit,
  catalogueVideoPreviewEdit,
} from '@looptide/contracts/operations/catalogue/videos'
import { requireVersion } from '@looptide/service-kit/http/conditional'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { CatalogueDb } from '../../db/schema.ts'
import { presentVideo } from '../videos/present-video.ts'
import { selectedIds } from '../videos/selected-ids.ts'
import type { EditService } from './edit-service.ts'
import { previewEdit } from './preview-edit.ts'
import { videoEtag } from './video-etag.ts'

/** Routes of edits of videos. */
export const editRoutes = ({ db, edits }: { db: CatalogueDb; edits: EditService }): Route[] => [
  route(catalogueVideoEdit, async ({ params, body, expected, cause }) => {
    const row = await edits.edit(
      params.id,
      body,
      (current) => requireVersion(expected, videoEtag(current)),
      cause,
    )
    return answer(200, presentVideo(row), { etag: videoEtag(row) })
  }),
  route(catalogueVideoPreviewEdit, async ({ body: { videos, fields } }) =>
    previewEdit(db, await selectedIds(db, videos), fields),
  ),
]
