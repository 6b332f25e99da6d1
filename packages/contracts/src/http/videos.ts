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
import { Address, Code, Line } from '../text-fields.ts'

/**
 * Metadata state of a video. `unavailable`: see `unavailableReason`; viewers see such a video only in users' playlists, and
 * admins in the admin section.
 */
export const MetadataStatus = Type.Union([
  Type.Literal('pending'),
  Type.Literal('resolved'),
  Type.Literal('unavailable'),
])
export type MetadataStatus = Static<typeof MetadataStatus>

/**
 * Review state of a video added by a user without curation rights. Such a video is visible only to its submitters and to
 * moderators, and is on no channel.
 */
const ReviewState = Type.Union([Type.Literal('submitted'), Type.Literal('rejected')])

/** Maximum tags of a video. */
export const MAX_TAGS = 20
/**
 * A tag. Tags are compared without case, so a video has each of them once. They contain no comma, because forms and CSV
 * files separate tags by commas. The catalogue trims them.
 */
export const Tag = Line({ minLength: 1, maxLength: 40, pattern: '^[^,]*[^,\\s][^,]*$' })

export const Tags = Type.Array(Tag, { maxItems: MAX_TAGS })

/** Within the range of an `integer` in Postgres: 23 days (ms). */
export const MediaPosition = Type.Integer({ minimum: 0, maximum: 2_000_000_000 })
/** The part of a video that is played. At least a second lies between the trim points. */
const trimPoints = {
  /** The position in the media at which playback starts (ms). */
  startAtMs: MediaPosition,
  /** The position in the media at which playback ends (ms). Null means the end of the media. */
  endAtMs: Nullable(MediaPosition),
}

/**
 * The public view of a video. `durationMs` is the length of the whole media; `durationAssumed` until metadata confirms it.
 * What is played lies between the trim points, which `playedRange` of packages/playhead limits to the media. `duration`
 * ('m:ss') is the length that is played, for lists.
 */
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
  ...trimPoints,
  tags: Tags,
  thumbnailUrl: Nullable(Type.String()),
  videoUrl: Type.String(),
  youtubeId: Nullable(YoutubeId),
  isPublic: Type.Boolean(),
  metadataStatus: MetadataStatus,
  unavailableReason: Nullable(Type.String()),
  /** Present only while the video is not accepted; `reason` is the moderator's, for a rejected one. */
  review: Type.Optional(Type.Object({ state: ReviewState, reason: Nullable(Type.String()) })),
  viewCount: Type.Integer({ minimum: 0 }),
  /** Accounts that like the video; a few seconds old. */
  likeCount: Type.Integer({ minimum: 0 }),
  createdAt: Instant,
})
export type Video = Static<typeof Video>

/** Maximum URLs per request. */
export const MAX_URLS_PER_ADD = 500

/**
 * Title of every video until its metadata is found. Viewers see a video, and channels play it, only with a title of its own.
 */
export const PLACEHOLDER_TITLE = 'Loading...'

/** `unavailableReason` of a URL that no player supports, added with `allowUnplayableUrls`. Stored value. */
export const UNSUPPORTED_URL = 'unsupported_address'

/**
 * POST /api/videos (admin: bulk; user: from the playlist player). With `allowUnplayableUrls` an admin also adds web URLs that
 * no player supports: they have no metadata, are hidden from viewers and on no channel.
 */
export const AddVideosBody = Type.Object(
  {
    urls: Type.Array(Address({ maxLength: 2048 }), { minItems: 1, maxItems: MAX_URLS_PER_ADD }),
    artistName: Type.Optional(Line({ maxLength: 200 })),
    genre: Type.Optional(Line({ maxLength: 100 })),
    category: Type.Optional(VideoCategory),
    allowUnplayableUrls: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type AddVideosBody = Static<typeof AddVideosBody>

/** The result of each line: added, already in the library, or skipped with the reason. */
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

/** `newest` and `mostLiked` begin with the highest value, the others with the lowest. `duration` is what is played. */
export const VideoSort = Type.Union([
  Type.Literal('newest'),
  Type.Literal('title'),
  Type.Literal('artist'),
  Type.Literal('genre'),
  Type.Literal('category'),
  Type.Literal('duration'),
  Type.Literal('mostLiked'),
])
export type VideoSort = Static<typeof VideoSort>
/**
 * GET /api/videos: public videos that are not `unavailable`; with `all` (admins), all videos. `q` filters by title, artist,
 * description or genre: substring, case-insensitive. `tag` filters by a tag, case-insensitive.
 */
export const ListVideosQuery = Type.Object(
  {
    ...PageQuery.properties,
    q: Type.Optional(Line({ maxLength: 200 })),
    sort: Type.Optional(VideoSort),
    /** The opposite of the order that `sort` names. */
    reverse: Type.Optional(Type.Boolean()),
    category: Type.Optional(VideoCategory),
    tag: Type.Optional(Tag),
    all: Type.Optional(Type.Boolean()),
  },
  strict,
)
/**
 * `total` counts the whole list. With `isTotalCapped` there may be more: matches of frequent texts are counted up to 1,000,
 * with `all` up to 100,000.
 * Pages of such a list may be incomplete: the list ends where `nextCursor` is null.
 */
export const VideoPage = Type.Object({
  ...Page(Video).properties,
  total: Type.Integer({ minimum: 0 }),
  isTotalCapped: Type.Optional(Type.Boolean()),
})
export type VideoPage = Static<typeof VideoPage>

/** Maximum ids per page of {@link VideoIdsQuery}. */
export const MAX_IDS_PER_PAGE = 10_000
/**
 * GET /api/videos/ids (admin): the ids of the videos that `GET /api/videos?all=true` lists with the same `q`, `sort`,
 * `reverse`, `category` and `tag`, in the same order. Used for "Select All": ids are a hundredth of the size of the videos.
 */
export const VideoIdsQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_IDS_PER_PAGE, default: MAX_IDS_PER_PAGE })),
    cursor: Type.Optional(Cursor),
    q: ListVideosQuery.properties.q,
    sort: ListVideosQuery.properties.sort,
    reverse: ListVideosQuery.properties.reverse,
    category: ListVideosQuery.properties.category,
    tag: ListVideosQuery.properties.tag,
  },
  strict,
)
export const VideoIdPage = Page(Uuid)
export type VideoIdPage = Static<typeof VideoIdPage>

/** GET /api/videos/tags (admin): the most frequent tags of the library in lower case, with their number of videos. */
export const TagList = Type.Object({
  items: Type.Array(Type.Object({ tag: Tag, videoCount: Type.Integer({ minimum: 1 }) })),
})
export type TagList = Static<typeof TagList>

/** Maximum videos per lookup. */
export const MAX_LOOK_UP = 100
/** GET /api/videos/lookup: videos by comma-separated `ids`; missing ones are omitted. */
export const LookUpVideosQuery = Type.Object(
  { ids: Code({ pattern: '^[0-9a-f-]{36}(?:,[0-9a-f-]{36}){0,99}$' }) },
  strict,
)
export const VideoLookUp = Type.Object({ items: Type.Array(Video) })
export type VideoLookUp = Static<typeof VideoLookUp>

/** GET /api/search: public videos by exact substring, case-insensitive, newest first. `artist` filters by artist. */
export const SearchQuery = Type.Object(
  {
    q: Type.Optional(Line({ minLength: 1, maxLength: 200 })),
    artist: Type.Optional(Line({ minLength: 1, maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  },
  strict,
)
/** `artists`: names that contain the text, with their number of searchable videos. */
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
/** POST /api/videos/update-metadata (admin): without `ids`, all videos with the placeholder title. */
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
/** The number of videos whose metadata is requested again, and their YouTube ids. */
export const UpdateMetadataResult = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  youtubeIds: Type.Array(Type.String()),
})
export type UpdateMetadataResult = Static<typeof UpdateMetadataResult>
export const ViewResult = Type.Object({ viewCount: Type.Integer({ minimum: 0 }), counted: Type.Boolean() })

/** GET /api/home. `seed` keeps the random rows stable during a visit. */
export const HomeQuery = Type.Object({ seed: Type.Optional(Code({ maxLength: 64 })) }, strict)
const HomeRow = Type.Object({ title: Type.String(), videos: Type.Array(Video) })
export const Home = Type.Object({ hero: Type.Array(Video), rows: Type.Array(HomeRow) })
export type Home = Static<typeof Home>

const SectionType = Type.Union([Type.Literal('hero'), Type.Literal('featured'), Type.Literal('category')])
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
 * POST /api/curation (admin): appends a video to its section, or inserts it at `position` (from 1). With `isActive` false
 * it is not shown.
 */
export const AddCurationBody = Type.Object(
  {
    videoId: Uuid,
    sectionType: SectionType,
    sectionName: Type.Optional(Nullable(Line({ minLength: 1, maxLength: 100 }))),
    position: Type.Optional(CurationPosition),
    isActive: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type AddCurationBody = Static<typeof AddCurationBody>
/**
 * PATCH /api/curation/:id (admin). `position` in its section (for a category: among those of that name), from 1. Positions
 * beyond the end mean the end. Send the `ETag` of `GET /api/curation` as `If-Match`: 412 `precondition_failed` if another
 * user has added, removed or moved an item.
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
