import type { EditPreview, EditVideoBody } from '@looptide/contracts/http/video-edits'
import type { EditJobBody } from '@looptide/contracts/http/video-jobs'
import type { Video } from '@looptide/contracts/http/videos'
import type { Versioned } from '../../../lib/api/api.ts'
import { api } from '../../../lib/clients.ts'

/** A video with its version. */
export type VersionedVideo = Versioned<Video>

/** A video with its ETag, on which an edit is based. Throws ApiError. */
export const readVideo = (id: string): Promise<VersionedVideo> =>
  api.callVersioned('GET /api/videos/:id', { params: { id } })

/** Throws ApiError; its code is `precondition_failed` when the video has changed since `etag`. */
export const editVideo = (id: string, body: EditVideoBody, etag: string): Promise<Video> =>
  api.call('PATCH /api/videos/:id', { params: { id }, body }, { ifMatch: etag })

/** Time for the preview of a whole library, in ms. */
const PREVIEW_TIMEOUT_MS = 60_000

/** What the edit would change. */
export const previewEdit = (body: EditJobBody): Promise<EditPreview> =>
  api.call('POST /api/videos/edit-preview', { body }, { timeoutMs: PREVIEW_TIMEOUT_MS })
