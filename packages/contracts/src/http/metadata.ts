import { type Static, Type } from 'typebox'
import { Nullable, Page, PageQuery, strict, YoutubeId } from '../common.ts'
import { Address, Code } from '../text-fields.ts'

/** State of a metadata job: the lookup of one YouTube video. */
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

/** GET /api/metadata/jobs (admin): the jobs in one state; default: failed. */
export const MetadataJobsQuery = Type.Object(
  { ...PageQuery.properties, state: Type.Optional(MetadataJobState) },
  strict,
)
/** POST /api/metadata/jobs/:youtubeId/retry (admin) */
export const YoutubeIdParams = Type.Object({ youtubeId: YoutubeId }, strict)

/** POST /api/metadata/jobs/retry (admin): queues all failed jobs again. Returns their number. */
export const RetryJobsResult = Type.Object({ count: Type.Integer({ minimum: 0 }) })
export type RetryJobsResult = Static<typeof RetryJobsResult>

/**
 * GET /api/metadata/status (admin). Quota in YouTube's units per day (Pacific time), which ends at `quotaResetsAtMs`; null
 * without an API key.
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

/** Maximum videos imported from one YouTube playlist. */
export const MAX_PLAYLIST_VIDEOS = 500
/** GET /api/metadata/playlists/:playlistId (admin, where an API key is set). */
export const YoutubePlaylistParams = Type.Object(
  { playlistId: Code({ pattern: '^[A-Za-z0-9_-]{2,64}$' }) },
  strict,
)
/** Videos of a YouTube playlist, in order. `isComplete` is false if it has more than {@link MAX_PLAYLIST_VIDEOS}. */
export const YoutubePlaylist = Type.Object({
  youtubeIds: Type.Array(YoutubeId),
  isComplete: Type.Boolean(),
})
export type YoutubePlaylist = Static<typeof YoutubePlaylist>

/** GET /api/metadata/lists (admin): the playlist or channel of a URL, before it is followed. Costs one unit of quota. */
export const YoutubeListQuery = Type.Object({ url: Address({ minLength: 1, maxLength: 2048 }) }, strict)
/** `itemCount` is null if YouTube does not publish it. */
export const YoutubeListPreview = Type.Object({
  kind: Type.Union([Type.Literal('playlist'), Type.Literal('channel')]),
  title: Type.String(),
  itemCount: Nullable(Type.Integer({ minimum: 0 })),
})
export type YoutubeListPreview = Static<typeof YoutubeListPreview>
