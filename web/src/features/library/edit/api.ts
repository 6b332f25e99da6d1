import type {
  BulkFields,
  EditPreview,
  EditVideoBody,
  EditVideosBody,
} from '@looptide/contracts/http/video-edits'
import type { Video } from '@looptide/contracts/http/videos'
import type { Versioned } from '../../../lib/api/api.ts'
import { api } from '../../../lib/clients.ts'
import { ITEMS_PER_REQUEST, inBatches } from '../url-lines.ts'
import { sumPreviews } from './preview-text.ts'

/** A video with its version. */
export type VersionedVideo = Versioned<Video>

/** A video with its ETag, on which an edit is based. Throws ApiError. */
export const readVideo = (id: string): Promise<VersionedVideo> =>
  api.callVersioned('GET /api/videos/:id', { params: { id } })

/** Throws ApiError; its code is `precondition_failed` when the video has changed since `etag`. */
export const editVideo = (id: string, body: EditVideoBody, etag: string): Promise<Video> =>
  api.call('PATCH /api/videos/:id', { params: { id }, body }, { ifMatch: etag })

/** Previews what {@link editVideos} would change, in several requests if needed. */
export async function previewEdit(ids: readonly string[], fields: BulkFields): Promise<EditPreview> {
  const previews: EditPreview[] = []
  for (const batch of inBatches(ids, ITEMS_PER_REQUEST)) {
    previews.push(await api.call('POST /api/videos/edit-preview', { body: { ids: batch, fields } }))
  }
  return sumPreviews(previews)
}

/**
 * Sets the same fields on several videos, in several requests if needed. `onProgress` receives the number of videos
 * changed so far, even if a later request fails.
 */
export async function editVideos(
  ids: readonly string[],
  fields: BulkFields,
  editId: string,
  onProgress: (changed: number) => void,
): Promise<void> {
  let changed = 0
  for (const batch of inBatches(ids, ITEMS_PER_REQUEST)) {
    const body: EditVideosBody = { ids: batch, fields, editId }
    changed += (await api.call('PATCH /api/videos', { body })).count
    onProgress(changed)
  }
}

/** Undoes an edit. `skipped`: videos that were changed since and are left as they are. */
export async function undoEdit(editId: string): Promise<{ count: number; skipped: number }> {
  const sum = { count: 0, skipped: 0 }
  for (let isMore = true; isMore; ) {
    const part = await api.call('POST /api/videos/edits/:id/undo', { params: { id: editId } })
    sum.count += part.count
    sum.skipped += part.skipped
    isMore = part.isMore
  }
  return sum
}
