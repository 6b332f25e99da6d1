import { type Static, Type } from 'typebox'
import { Nullable, Page, PageQuery, strict, YoutubeId } from '../common.ts'

/** A look-up of one YouTube video in the worker's queue. */
export const MetadataJobState = Type.Union([
  Type.Literal('queued'),
  Type.Literal('fetching'),
  Type.Literal('done'),
  Type.Literal('failed'),
])
export type MetadataJobState = Static<typeof MetadataJobState>
export const MetadataJob = Type.Object({
  youtubeId: YoutubeId,
  state: MetadataJobState,
  reason: Nullable(Type.String()),
  attempts: Type.Integer({ minimum: 0 }),
  updatedAtMs: Type.Integer(),
})
export type MetadataJob = Static<typeof MetadataJob>
export const MetadataJobPage = Page(MetadataJob)
export type MetadataJobPage = Static<typeof MetadataJobPage>

/** GET /api/metadata/jobs (admin): the jobs in one state, the failed ones unless told otherwise. */
export const MetadataJobsQuery = Type.Object(
  { ...PageQuery.properties, state: Type.Optional(MetadataJobState) },
  strict,
)
/** POST /api/metadata/jobs/:youtubeId/retry (admin) */
export const YoutubeIdParams = Type.Object({ youtubeId: YoutubeId }, strict)

/** POST /api/metadata/jobs/retry (admin): every failed look-up is queued anew; how many there were. */
export const RetryJobsResult = Type.Object({ count: Type.Integer({ minimum: 0 }) })
export type RetryJobsResult = Static<typeof RetryJobsResult>

/**
 * GET /api/metadata/status (admin). Quota units as YouTube counts them, per day of Pacific time, which ends at
 * `quotaResetsAtMs`; without a key there is no quota.
 */
export const MetadataStatusReport = Type.Object({
  mode: Type.Union([Type.Literal('api'), Type.Literal('keyless')]),
  queued: Type.Integer(),
  fetching: Type.Integer(),
  failed: Type.Integer(),
  quotaUsed: Type.Integer(),
  quotaLimit: Nullable(Type.Integer()),
  quotaResetsAtMs: Nullable(Type.Integer()),
  pausedUntilMs: Nullable(Type.Integer()),
})
export type MetadataStatusReport = Static<typeof MetadataStatusReport>

/** Most videos of a playlist that are imported at once. */
export const MAX_PLAYLIST_VIDEOS = 500
/** GET /api/metadata/playlists/:playlistId (admin, where an API key is set). */
export const YoutubePlaylistParams = Type.Object(
  { playlistId: Type.String({ pattern: '^[A-Za-z0-9_-]{2,64}$' }) },
  strict,
)
/** What a playlist on YouTube holds, in its order. Not `isComplete`: it holds more than {@link MAX_PLAYLIST_VIDEOS}. */
export const YoutubePlaylist = Type.Object({
  youtubeIds: Type.Array(YoutubeId),
  isComplete: Type.Boolean(),
})
export type YoutubePlaylist = Static<typeof YoutubePlaylist>
