import type {
  BulkFields,
  EditPreview,
  EditVideoBody,
  EditVideosBody,
  UndoEditResult,
} from '@looptide/contracts/http/video-edits'
import type { Video } from '@looptide/contracts/http/videos'
import { api } from '../../../../lib/clients.ts'
import { ITEMS_PER_REQUEST, inPortions } from '../url-lines.ts'
import { sumPreviews } from './preview-text.ts'

/** A video with its version. */
export type VersionedVideo = { body: Video; etag: string }

const videoPath = (id: string): string => `/api/videos/${encodeURIComponent(id)}`

export const readVideo = (id: string): Promise<VersionedVideo> => api.getVersioned<Video>(videoPath(id))

/** Throws ApiError; its code is `precondition_failed` when the video has changed since `etag`. */
export const editVideo = (id: string, body: EditVideoBody, etag: string): Promise<Video> =>
  api.patch<Video>(videoPath(id), body, { ifMatch: etag })

/** What {@link editVideos} would change, in as many requests as it takes. */
export async function previewEdit(ids: readonly string[], fields: BulkFields): Promise<EditPreview> {
  const previews: EditPreview[] = []
  for (const portion of inPortions(ids, ITEMS_PER_REQUEST)) {
    previews.push(await api.post<EditPreview>('/api/videos/edit-preview', { ids: portion, fields }))
  }
  return sumPreviews(previews)
}

/**
 * Gives videos the same fields, in as many requests as it takes. `onProgress` receives how many changed so far, also
 * when a later request fails.
 */
export async function editVideos(
  ids: readonly string[],
  fields: BulkFields,
  editId: string,
  onProgress: (changed: number) => void,
): Promise<void> {
  let changed = 0
  for (const portion of inPortions(ids, ITEMS_PER_REQUEST)) {
    const body: EditVideosBody = { ids: portion, fields, editId }
    changed += (await api.patch<{ count: number }>('/api/videos', body)).count
    onProgress(changed)
  }
}

/** Undoes an edit; `skipped` videos were changed since and stay as they are. */
export async function undoEdit(editId: string): Promise<{ count: number; skipped: number }> {
  const sum = { count: 0, skipped: 0 }
  for (let isMore = true; isMore; ) {
    const part = await api.post<UndoEditResult>(`/api/videos/edits/${encodeURIComponent(editId)}/undo`)
    sum.count += part.count
    sum.skipped += part.skipped
    isMore = part.isMore
  }
  return sum
}
