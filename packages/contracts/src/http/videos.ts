import { type Static, Type } from 'typebox'
import {
  Cursor,
  Instant,
  Nullable,
  Page,
  PageQuery,
  strict,
  Uuid,
  VideoCategory,
  YoutubeId,
} from '../common.ts'

/**
 * Where the metadata worker stands with a video. `unavailable` says why in `unavailableReason`; such a video is in no
 * list for viewers, only where a person has put it (their playlists) and at the admin desk.
 */
export const MetadataStatus = Type.Union([
  Type.Literal('pending'),
  Type.Literal('resolved'),
  Type.Literal('unavailable'),
])
export type MetadataStatus = Static<typeof MetadataStatus>

/**
 * State of a video that a person without curation rights added: `submitted` waits for review, `rejected` was refused.
 * Such a video is visible to its submitters and to moderators only, and on no channel.
 */
export const ReviewState = Type.Union([Type.Literal('submitted'), Type.Literal('rejected')])
export type ReviewState = Static<typeof ReviewState>

/** A video as everybody may see it. `duration` is 'm:ss'; `durationAssumed` until metadata confirms it. */
export const Video = Type.Object({
  id: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  description: Nullable(Type.String()),
  genre: Nullable(Type.String()),
  category: Nullable(Type.String()),
  duration: Type.String(),
  durationMs: Type.Integer({ minimum: 1 }),
  durationAssumed: Type.Boolean(),
  thumbnailUrl: Nullable(Type.String()),
  videoUrl: Type.String(),
  youtubeId: Nullable(YoutubeId),
  isPublic: Type.Boolean(),
  metadataStatus: MetadataStatus,
  unavailableReason: Nullable(Type.String()),
  /** Present only while the video is not accepted; `reason` is the moderator's, for a rejected one. */
  review: Type.Optional(Type.Object({ state: ReviewState, reason: Nullable(Type.String()) })),
  viewCount: Type.Integer({ minimum: 0 }),
  createdAt: Instant,
})
export type Video = Static<typeof Video>

/** Most addresses one request may add. */
export const MAX_URLS_PER_ADD = 500

/** The `unavailableReason` of an address that no player plays, kept with `allowUnplayableUrls`. */
export const UNSUPPORTED_URL = 'unsupported_address'

/**
 * POST /api/videos (admin: bulk, or a signed-in user's playlist player). With `allowUnplayableUrls` an admin also adds web
 * addresses that no player plays: rows without metadata, in no list of viewers and on no channel.
 */
export const AddVideosBody = Type.Object(
  {
    urls: Type.Array(Type.String({ maxLength: 2048 }), { minItems: 1, maxItems: MAX_URLS_PER_ADD }),
    artistName: Type.Optional(Type.String({ maxLength: 200 })),
    genre: Type.Optional(Type.String({ maxLength: 100 })),
    category: Type.Optional(VideoCategory),
    allowUnplayableUrls: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type AddVideosBody = Static<typeof AddVideosBody>

/** The result on each line: added, already in the library, or skipped with the reason. */
export const AddVideosResult = Type.Object({
  lines: Type.Array(
    Type.Object({
      url: Type.String(),
      result: Type.Union([Type.Literal('added'), Type.Literal('duplicate'), Type.Literal('skipped')]),
      reason: Nullable(
        Type.Union([
          Type.Literal('playlist_not_supported'),
          Type.Literal('not_a_video_url'),
          Type.Literal('blank'),
        ]),
      ),
      video: Nullable(Video),
    }),
  ),
  added: Type.Integer(),
  skipped: Type.Integer(),
})
export type AddVideosResult = Static<typeof AddVideosResult>

export const VideoSort = Type.Union([Type.Literal('newest'), Type.Literal('title'), Type.Literal('artist')])
export type VideoSort = Static<typeof VideoSort>
/**
 * GET /api/videos: public videos that are not `unavailable` (all there are for admins with `all`). `q` asks for those
 * of them whose title, artist, description or genre contains it, whatever the case.
 */
export const ListVideosQuery = Type.Object(
  {
    ...PageQuery.properties,
    q: Type.Optional(Type.String({ maxLength: 200 })),
    sort: Type.Optional(VideoSort),
    category: Type.Optional(VideoCategory),
    all: Type.Optional(Type.Boolean()),
  },
  strict,
)
/**
 * `total` counts the whole list, not the page; with `isTotalCapped` there may be more: what contains a frequent text
 * is counted up to 1,000. Such a list may answer a page that is not full: its end is where `nextCursor` is null.
 */
export const VideoPage = Type.Object({
  ...Page(Video).properties,
  total: Type.Integer({ minimum: 0 }),
  isTotalCapped: Type.Optional(Type.Boolean()),
})
export type VideoPage = Static<typeof VideoPage>

/** Most ids one page of {@link VideoIdsQuery} holds. */
export const MAX_IDS_PER_PAGE = 10_000
/**
 * GET /api/videos/ids (admin): the ids of the videos that `GET /api/videos?all=true` lists with the same `q`, `sort` and
 * `category`, in the same order. For "Select All": a page of ids is a hundredth of the bytes of the videos.
 */
export const VideoIdsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_IDS_PER_PAGE, default: MAX_IDS_PER_PAGE })),
    cursor: Type.Optional(Cursor),
    q: ListVideosQuery.properties.q,
    sort: ListVideosQuery.properties.sort,
    category: ListVideosQuery.properties.category,
  },
  strict,
)
export const VideoIdPage = Page(Uuid)
export type VideoIdPage = Static<typeof VideoIdPage>

/** Most videos that are looked up at once. */
export const MAX_LOOK_UP = 100
/** GET /api/videos/lookup: how these videos stand now; `ids` are separated by commas. What is gone is left out. */
export const LookUpVideosQuery = Type.Object(
  { ids: Type.String({ pattern: '^[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,99}$' }) },
  strict,
)
export const VideoLookUp = Type.Object({ items: Type.Array(Video) })
export type VideoLookUp = Static<typeof VideoLookUp>

/** GET /api/search: what viewers' lists have; exact substring, case-insensitive, newest first. `artist` asks for one artist's videos. */
export const SearchQuery = Type.Object(
  {
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    artist: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  },
  strict,
)
/** `artists` are those whose name contains the text, with the number of their videos that a search may find. */
export const SearchResult = Type.Object({
  videos: Type.Array(Video),
  artists: Type.Array(Type.Object({ name: Type.String(), videoCount: Type.Integer() })),
})
export type SearchResult = Static<typeof SearchResult>

export const VideoIdsBody = Type.Object(
  { ids: Type.Array(Uuid, { minItems: 1, maxItems: 500, uniqueItems: true }) },
  strict,
)
/** POST /api/videos/move (admin). `DELETE /api/videos` takes {@link VideoIdsBody}. */
export const MoveVideosBody = Type.Object({ ...VideoIdsBody.properties, category: VideoCategory }, strict)
/** POST /api/videos/update-metadata (admin): without `ids`, all that still have the placeholder title. */
export const UpdateMetadataBody = Type.Object({ ids: Type.Optional(VideoIdsBody.properties.ids) }, strict)
/** GET /internal/videos: the whole library, newest first. */
export const InternalVideosQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 500 })),
    cursor: Type.Optional(Cursor),
  },
  strict,
)
export const CountResult = Type.Object({ count: Type.Integer({ minimum: 0 }) })
export const ViewResult = Type.Object({ viewCount: Type.Integer({ minimum: 0 }), counted: Type.Boolean() })

/** GET /api/home: what the home page draws. `seed` keeps a visit's random rows where they are. */
export const HomeQuery = Type.Object({ seed: Type.Optional(Type.String({ maxLength: 64 })) }, strict)
export const HomeRow = Type.Object({ title: Type.String(), videos: Type.Array(Video) })
export const Home = Type.Object({ hero: Type.Array(Video), rows: Type.Array(HomeRow) })
export type Home = Static<typeof Home>

export const SectionType = Type.Union([
  Type.Literal('hero'),
  Type.Literal('featured'),
  Type.Literal('category'),
])
export const CurationItem = Type.Object({
  id: Uuid,
  videoId: Uuid,
  sectionType: SectionType,
  sectionName: Nullable(Type.String()),
  position: Type.Integer(),
  isActive: Type.Boolean(),
  video: Nullable(Video),
})
export type CurationItem = Static<typeof CurationItem>
const CurationPosition = Type.Integer({ minimum: 1, maximum: 100_000 })
/**
 * POST /api/curation (admin): puts a video behind the last one of its section, or at a `position` (from 1), where
 * those from there on make room. With `isActive` false it is not shown yet.
 */
export const AddCurationBody = Type.Object(
  {
    videoId: Uuid,
    sectionType: SectionType,
    sectionName: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 100 }))),
    position: Type.Optional(CurationPosition),
    isActive: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type AddCurationBody = Static<typeof AddCurationBody>
/**
 * PATCH /api/curation/:id (admin). `position` is the place in its section (of a category: of that name), from 1; the
 * others make room, and a place behind the last one is the last.
 */
export const UpdateCurationBody = Type.Object(
  {
    isActive: Type.Optional(Type.Boolean()),
    position: Type.Optional(CurationPosition),
  },
  { ...strict, minProperties: 1 },
)
export type UpdateCurationBody = Static<typeof UpdateCurationBody>
export const CurationPage = Page(CurationItem)
export type CurationPage = Static<typeof CurationPage>

export const IdParams = Type.Object({ id: Uuid }, strict)
export { Cursor }
