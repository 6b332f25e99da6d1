import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  EditPreview,
  EditPreviewBody,
  EditVideosBody,
  UndoEditResult,
} from '@looptide/contracts/http/video-edits'
import { CountResult, IdParams } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { BulkEditService } from '../bulk-edit-service.ts'

/**
 * PATCH /api/videos, POST /api/videos/edit-preview and POST /api/videos/edits/:id/undo: edit many videos at once, preview
 * the changes, and undo them within an hour (`videos:edit`).
 */
export const editVideos: FastifyPluginAsyncTypebox<{ bulkEdits: BulkEditService }> = async (
  app,
  { bulkEdits },
) => {
  app.patch(
    '/api/videos',
    {
      schema: { body: EditVideosBody, response: { 200: CountResult } },
      config: { operation: 'catalogue.video.edit_many' },
    },
    async (request) => ({ count: await bulkEdits.edit(request.body, causeOf(request)) }),
  )
  app.post(
    '/api/videos/edit-preview',
    {
      schema: { body: EditPreviewBody, response: { 200: EditPreview } },
      config: { operation: 'catalogue.video.preview_edit' },
    },
    async ({ body: { ids, fields } }) => bulkEdits.preview(ids, fields),
  )
  app.post(
    '/api/videos/edits/:id/undo',
    {
      schema: { params: IdParams, response: { 200: UndoEditResult } },
      config: { operation: 'catalogue.video.undo_edit' },
    },
    async (request) => bulkEdits.undo(request.params.id, causeOf(request)),
  )
}
