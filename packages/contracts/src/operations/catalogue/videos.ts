import { Type } from 'typebox'
import { DeletedVideoPage, DeletedVideosQuery, RestoreResult } from '../../http/deleted-videos.ts'
import { ExportQuery, VideoExportPage } from '../../http/exports.ts'
import { EditPreview, EditVideoBody } from '../../http/video-edits.ts'
import { ImportVideosBody, ImportVideosResult } from '../../http/video-import.ts'
import { EditJobBody } from '../../http/video-jobs.ts'
import {
  AddVideosBody,
  AddVideosResult,
  CountResult,
  IdParams,
  InternalVideosQuery,
  ListVideosQuery,
  LookUpVideosQuery,
  MoveVideosBody,
  SearchQuery,
  SearchResult,
  TagList,
  UpdateMetadataBody,
  UpdateMetadataResult,
  Video,
  VideoIdPage,
  VideoIdsBody,
  VideoIdsQuery,
  VideoLookUp,
  VideoPage,
  ViewResult,
} from '../../http/videos.ts'
import { file, operation } from '../../operation.ts'

/** Listed videos, optionally only those that match `q`. With `all`, unlisted ones as well. */
export const catalogueVideoList = operation({
  name: 'catalogue.video.list',
  summary: 'List videos',
  call: 'GET /api/videos',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  // Those who edit the library get private videos with `all`.
  shared: { unless: 'all' },
  input: { query: ListVideosQuery },
  output: { 200: VideoPage },
})

/** A public video, or another one that the user may see. The `ETag` is used as `If-Match` of an edit. */
export const catalogueVideoGet = operation({
  name: 'catalogue.video.get',
  summary: 'Get a video',
  call: 'GET /api/videos/:id',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  versioned: ['ETag'],
  input: { params: IdParams },
  output: { 200: Video },
})

/** Those of several videos that the user may see, e.g. to poll for their metadata. */
export const catalogueVideoLookUp = operation({
  name: 'catalogue.video.look_up',
  summary: 'Get several videos by id',
  call: 'GET /api/videos/lookup',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  input: { query: LookUpVideosQuery },
  output: { 200: VideoLookUp },
})

/** Videos and artists that match `q`, or the videos of `artist`. */
export const catalogueVideoSearch = operation({
  name: 'catalogue.video.search',
  summary: 'Search videos and artists',
  call: 'GET /api/search',
  audience: 'anyone',
  token: 'read',
  anonymous: 'allowed',
  shared: {},
  input: { query: SearchQuery },
  output: { 200: SearchResult },
})

/**
 * Adds videos by their URLs, or submits them for review if the user is not exempt. Throws `forbidden` if a user who
 * does not edit the library sets a category, `user_restricted`, `rate_limited`, and `unprocessable` if too many of the
 * user's videos await review.
 */
export const catalogueVideoAdd = operation({
  name: 'catalogue.video.add',
  summary: 'Add videos by URL',
  call: 'POST /api/videos',
  audience: 'user',
  token: 'videos',
  anonymous: { purpose: 'add videos' },
  // 500 URLs of 2 KiB.
  bodyBytes: 1_310_720,
  input: { body: AddVideosBody },
  output: { 200: AddVideosResult },
})

/** Counts a view when the player of a signed-in viewer opens the video. */
export const catalogueVideoCountView = operation({
  name: 'catalogue.video.count_view',
  summary: 'Count a view of a video',
  call: 'POST /api/videos/:id/views',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  outdatesShared: false,
  input: { params: IdParams },
  output: { 200: ViewResult },
})

export const catalogueVideoExportOwn = operation({
  name: 'catalogue.video.export_own',
  summary: 'Export the videos that the caller added or submitted',
  call: 'GET /api/export/videos',
  audience: 'user',
  token: 'session-only',
  anonymous: 'allowed',
  perMinute: 60,
  input: { query: ExportQuery },
  output: { 200: VideoExportPage },
})

export const catalogueVideoEdit = operation({
  name: 'catalogue.video.edit',
  summary: 'Edit a video',
  call: 'PATCH /api/videos/:id',
  audience: 'videos:edit',
  token: 'videos',
  versioned: ['ETag', 'If-Match'],
  input: { params: IdParams, body: EditVideoBody },
  output: { 200: Video },
})

export const catalogueVideoPreviewEdit = operation({
  name: 'catalogue.video.preview_edit',
  summary: 'Preview an edit of several videos',
  call: 'POST /api/videos/edit-preview',
  audience: 'videos:edit',
  token: 'videos',
  // MAX_SELECTED_IDS ids.
  bodyBytes: 1_048_576,
  input: { body: EditJobBody },
  output: { 200: EditPreview },
})

export const catalogueVideoDelete = operation({
  name: 'catalogue.video.delete',
  summary: 'Delete videos',
  call: 'DELETE /api/videos',
  audience: 'videos:edit',
  token: 'videos',
  input: { body: VideoIdsBody },
  output: { 200: CountResult },
})

export const catalogueVideoListDeleted = operation({
  name: 'catalogue.video.list_deleted',
  summary: 'List recently deleted videos',
  call: 'GET /api/videos/deleted',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { query: DeletedVideosQuery },
  output: { 200: DeletedVideoPage },
})

export const catalogueVideoRestore = operation({
  name: 'catalogue.video.restore',
  summary: 'Restore deleted videos',
  call: 'POST /api/videos/restore',
  audience: 'videos:edit',
  token: 'videos',
  input: { body: VideoIdsBody },
  output: { 200: RestoreResult },
})

export const catalogueVideoMove = operation({
  name: 'catalogue.video.move',
  summary: 'Move videos to a category',
  call: 'POST /api/videos/move',
  audience: 'videos:edit',
  token: 'videos',
  input: { body: MoveVideosBody },
  output: { 200: CountResult },
})

/** Adds videos with individual artists, genres and categories, or previews that. */
export const catalogueVideoImport = operation({
  name: 'catalogue.video.import',
  summary: 'Import videos with artist, genre, category, tags and trim points',
  call: 'POST /api/videos/import',
  audience: 'videos:edit',
  token: 'videos',
  // 500 URLs of 2 KiB.
  bodyBytes: 1_310_720,
  input: { body: ImportVideosBody },
  output: { 200: ImportVideosResult },
})

/** Requests metadata from YouTube again. Count 0: nothing to update. */
export const catalogueVideoUpdateMetadata = operation({
  name: 'catalogue.video.update_metadata',
  summary: 'Refresh the metadata of videos',
  call: 'POST /api/videos/update-metadata',
  audience: 'videos:edit',
  token: 'videos',
  input: { body: UpdateMetadataBody },
  output: { 200: UpdateMetadataResult },
})

/** Ids of the library, or of the videos that match `q`, in list order. */
export const catalogueVideoListIds = operation({
  name: 'catalogue.video.list_ids',
  summary: 'List the ids of videos',
  call: 'GET /api/videos/ids',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { query: VideoIdsQuery },
  output: { 200: VideoIdPage },
})

export const catalogueVideoListTags = operation({
  name: 'catalogue.video.list_tags',
  summary: 'List the tags of the library',
  call: 'GET /api/videos/tags',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: TagList },
})

export const catalogueVideoPurge = operation({
  name: 'catalogue.video.purge',
  summary: 'Permanently delete recently deleted videos',
  call: 'DELETE /api/videos/deleted',
  audience: 'videos:purge',
  token: 'videos',
  input: { body: VideoIdsBody },
  output: { 200: CountResult },
})

export const catalogueVideoExport = operation({
  name: 'catalogue.video.export',
  summary: 'Export the library as CSV',
  call: 'POST /api/videos/export',
  audience: 'videos:export',
  token: 'videos',
  input: { body: Type.Object({}, { additionalProperties: false }) },
  output: { 200: file('text/csv') },
})

/** A page of the whole library, for a service that rebuilds its projection. */
export const catalogueVideoListInternally = operation({
  name: 'catalogue.video.list_internally',
  summary: 'List the whole library',
  call: 'GET /internal/videos',
  audience: 'internal',
  token: 'session-only',
  input: { query: InternalVideosQuery },
  output: { 200: VideoPage },
})
