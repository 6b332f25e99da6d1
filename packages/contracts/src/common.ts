import { type Static, type TSchema, Type } from 'typebox'
import { Code } from './text-fields.ts'

export const Uuid = Type.String({ format: 'uuid' })
/** RFC 3339 timestamp. */
export const Instant = Type.String({ format: 'date-time' })
/** Milliseconds since the Unix epoch. */
export const EpochMs = Type.Integer({ minimum: 0 })
/** An instant up to the year 9999, for queries whose bounds become timestamps, in ms. */
export const TimestampMs = Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 })
/** A YouTube video id: 11 characters of the URL-safe base64 alphabet. */
export const YoutubeId = Code({ pattern: '^[A-Za-z0-9_-]{11}$' })
/** A channel's id: a slug, because it is part of URLs and topics. */
export const ChannelId = Code({ pattern: '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$' })

/** A user's role. Its permissions are in `permissions.ts`. */
export const Role = Type.Union([
  Type.Literal('user'),
  Type.Literal('programmer'),
  Type.Literal('curator'),
  Type.Literal('moderator'),
  Type.Literal('admin'),
])
export type Role = Static<typeof Role>

export const RestrictionType = Type.Union([
  Type.Literal('chat_banned'),
  Type.Literal('site_banned'),
  Type.Literal('restricted'),
])
export type RestrictionType = Static<typeof RestrictionType>

export const VideoCategory = Type.Union([
  Type.Literal('Must Watch'),
  Type.Literal('New Video Submissions'),
  Type.Literal('Classics'),
  Type.Literal('YouTube Playlist'),
])
export type VideoCategory = Static<typeof VideoCategory>

/** Opaque position in a list: `nextCursor` of the previous page. */
export const Cursor = Code({ minLength: 1, maxLength: 512 })

/** Query parameters of every list: at most 100 rows; the cursor requests the next page. */
export const PageQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
    cursor: Type.Optional(Cursor),
  },
  { additionalProperties: false },
)

/** `{items, nextCursor}`; `nextCursor` is null on the last page. */
export const Page = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), nextCursor: Type.Union([Cursor, Type.Null()]) })

/** A schema that also accepts null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const strict = { additionalProperties: false } as const
