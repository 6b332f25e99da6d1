import { createHash } from 'node:crypto'
import type { VideoRow } from '../../db/schema.ts'

/** The fields that an admin can edit. */
export type EditableFields = Pick<
  VideoRow,
  'title' | 'artistName' | 'genre' | 'category' | 'thumbnailUrl' | 'tags' | 'startAtMs' | 'endAtMs'
>

/** The fields of a video that people edit; the ETag covers them alone. */
export const editableFields = (row: VideoRow): EditableFields => ({
  title: row.title,
  artistName: row.artistName,
  genre: row.genre,
  category: row.category,
  thumbnailUrl: row.thumbnailUrl,
  tags: row.tags,
  startAtMs: row.startAtMs,
  endAtMs: row.endAtMs,
})

/** The ETag of a video: a hash of the editable fields, so that counting a view does not change it. */
export const videoEtag = (row: VideoRow): string =>
  `"${createHash('sha256')
    .update(JSON.stringify(Object.values(editableFields(row))))
    .digest('base64url')
    .slice(0, 22)}"`
