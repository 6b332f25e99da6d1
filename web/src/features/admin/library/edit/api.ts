import type { EditVideoBody } from '@looptide/contracts/http/video-edits'
import type { Video } from '@looptide/contracts/http/videos'
import { api } from '../../../../lib/clients.ts'

/** A video with the tag of its state. */
export type TaggedVideo = { data: Video; etag: string | undefined }

const videoPath = (id: string): string => `/api/videos/${encodeURIComponent(id)}`

export const readVideo = (id: string): Promise<TaggedVideo> => api.getWithTag<Video>(videoPath(id))

/** Throws ApiError; its code is `precondition_failed` when the video has changed since `etag`. */
export const editVideo = (id: string, body: EditVideoBody, etag: string | undefined): Promise<Video> =>
  api.patch<Video>(videoPath(id), body, { ifMatch: etag })
