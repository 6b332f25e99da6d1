import {
  MetadataJob,
  MetadataJobPage,
  MetadataJobsQuery,
  MetadataStatusReport,
  RetryJobsResult,
  YoutubeIdParams,
  YoutubeListPreview,
  YoutubeListQuery,
  YoutubePlaylist,
  YoutubePlaylistParams,
} from '../http/metadata.ts'
import { operation } from '../operation.ts'

/** Look-up jobs in one state. `failed` jobs are the dead letters. */
export const metadataJobList = operation({
  name: 'metadata.job.list',
  summary: 'List metadata jobs',
  call: 'GET /api/metadata/jobs',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  input: { query: MetadataJobsQuery },
  output: { 200: MetadataJobPage },
})

export const metadataJobRetry = operation({
  name: 'metadata.job.retry',
  summary: 'Retry a metadata job',
  call: 'POST /api/metadata/jobs/:youtubeId/retry',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: YoutubeIdParams },
  output: { 200: MetadataJob },
})

export const metadataJobRetryAll = operation({
  name: 'metadata.job.retry_all',
  summary: 'Retry all failed metadata jobs',
  call: 'POST /api/metadata/jobs/retry',
  audience: 'videos:edit',
  token: 'videos',
  output: { 200: RetryJobsResult },
})

/**
 * The videos of a YouTube playlist. Throws `conflict` without an API key, `not_found` for a private or deleted
 * playlist, and `rate_limited` if today's quota is used up.
 */
export const metadataPlaylistRead = operation({
  name: 'metadata.playlist.read',
  summary: 'List the videos of a YouTube playlist',
  call: 'GET /api/metadata/playlists/:playlistId',
  audience: 'videos:edit',
  token: 'videos',
  input: { params: YoutubePlaylistParams },
  output: { 200: YoutubePlaylist },
})

/**
 * The title and the number of items of the playlist or channel of a URL. Throws `validation_failed` for any other URL,
 * and the errors of `GET /api/metadata/playlists/:playlistId`.
 */
export const metadataListPreview = operation({
  name: 'metadata.list.preview',
  summary: 'Preview a YouTube playlist or channel',
  call: 'GET /api/metadata/lists',
  audience: 'videos:edit',
  token: 'videos',
  input: { query: YoutubeListQuery },
  output: { 200: YoutubeListPreview },
})

export const metadataStatusRead = operation({
  name: 'metadata.status.read',
  summary: 'Get the state of the metadata worker',
  call: 'GET /api/metadata/status',
  audience: 'videos:edit',
  token: 'read',
  anonymous: 'allowed',
  output: { 200: MetadataStatusReport },
})
