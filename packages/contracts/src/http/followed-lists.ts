import { type Static, Type } from 'typebox'
import { Instant, Nullable, strict, Uuid, VideoCategory } from '../common.ts'
import { Address } from '../text-fields.ts'
import { Tag } from './videos.ts'

/** Maximum followed lists of a station. */
export const MAX_FOLLOWED_LISTS = 50
/** Maximum items of a followed list that are read: of a channel the newest ones, of a playlist the first ones. */
export const MAX_FOLLOWED_ITEMS = 5000
/** Minimum time between two checks of a list that admins request, in seconds. */
export const CHECK_INTERVAL_S = 60

/** The target of new items: Submissions, for a moderator's decision, or directly the library. */
export const Intake = Type.Union([Type.Literal('submissions'), Type.Literal('direct')])
export type Intake = Static<typeof Intake>

/**
 * The reason why a list could not be read. `not_found`: private, deleted or unknown; YouTube does not distinguish these.
 * `no_api_key`: YOUTUBE_API_KEY is not set. `quota_exhausted`: continues at `continuesAt`. `refused`: YouTube refused the
 * request, for example because of the API key. `unreachable`: several attempts failed. `no_answer`: the metadata worker has
 * not answered.
 */
export const ListProblemCode = Type.Union([
  Type.Literal('not_found'),
  Type.Literal('no_api_key'),
  Type.Literal('quota_exhausted'),
  Type.Literal('refused'),
  Type.Literal('unreachable'),
  Type.Literal('no_answer'),
])
export type ListProblemCode = Static<typeof ListProblemCode>

const ListProblem = Type.Object({
  code: ListProblemCode,
  /** Details for operators, such as YouTube's message. */
  message: Type.String(),
  /** When a check failed with this code first, without a success since. */
  since: Instant,
  continuesAt: Nullable(Instant),
})
export type ListProblem = Static<typeof ListProblem>

/** A YouTube playlist or channel whose new items are added to the library. */
export const FollowedList = Type.Object({
  id: Uuid,
  /** As it was entered. */
  url: Type.String(),
  kind: Type.Union([Type.Literal('playlist'), Type.Literal('channel')]),
  /** YouTube's title; null until the first successful check. */
  title: Nullable(Type.String()),
  intake: Intake,
  /** Category of videos that are added directly. */
  category: VideoCategory,
  /** The tag of its videos. A smart source with this tag plays them. */
  tag: Tag,
  isPaused: Type.Boolean(),
  isChecking: Type.Boolean(),
  /** Items of the list on YouTube; null until the first successful check. */
  itemCount: Nullable(Type.Integer({ minimum: 0 })),
  /** Items that were new so far, and when the last of them were found. */
  newCount: Type.Integer({ minimum: 0 }),
  lastNewAt: Nullable(Instant),
  /** The last check, successful or not. */
  checkedAt: Nullable(Instant),
  /** The next check; null while paused. */
  nextCheckAt: Nullable(Instant),
  problem: Nullable(ListProblem),
  createdAt: Instant,
})
export type FollowedList = Static<typeof FollowedList>

/** GET /api/followed-lists (admin): all followed lists, oldest first. */
export const FollowedLists = Type.Object({ items: Type.Array(FollowedList) })
export type FollowedLists = Static<typeof FollowedLists>

/**
 * POST /api/followed-lists (admin): follows a playlist or channel and checks it at once. 400 unless `url` names a YouTube
 * playlist or channel, 409 if it is followed already, 422 if there are {@link MAX_FOLLOWED_LISTS}. With `onlyNew`, items that
 * the list has at the first check are not added.
 */
export const FollowListBody = Type.Object(
  {
    url: Address({ minLength: 1, maxLength: 2048 }),
    intake: Type.Optional(Intake),
    category: Type.Optional(VideoCategory),
    tag: Tag,
    onlyNew: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type FollowListBody = Static<typeof FollowListBody>

/** PATCH /api/followed-lists/:id (admin): applies to items found from now on. The last write wins. */
export const UpdateFollowedListBody = Type.Object(
  {
    intake: Type.Optional(Intake),
    category: Type.Optional(VideoCategory),
    tag: Type.Optional(Tag),
    isPaused: Type.Optional(Type.Boolean()),
  },
  { ...strict, minProperties: 1 },
)
export type UpdateFollowedListBody = Static<typeof UpdateFollowedListBody>
