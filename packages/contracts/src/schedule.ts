import { type Static, Type } from 'typebox'
import { ChannelId, EpochMs, strict, Uuid, VideoCategory } from './common.ts'
import { Code, Line, Paragraph } from './text-fields.ts'

// The schedule document of a channel. Field names are part of the public format: the same document as YAML is kept in
// repositories by operators. Semantic rules (overlaps, unknown names) are checked by packages/planner.

/** A name that another part of the document refers to. */
const Name = Code({
  pattern: '^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$',
  description: 'a name of up to 64 letters, digits, - and _',
})
/** A local time of day. `24:00` is the end of the day. */
const TimeOfDay = Code({
  pattern: '^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  description: 'a time such as 20:00',
})
const LocalDate = Code({
  pattern: '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$',
  description: 'a date such as 2026-12-24',
})
const LocalDateTime = Code({
  pattern:
    '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?$',
  description: 'a local time such as 2026-12-24T20:00',
})
const Colour = Code({ pattern: '^#[0-9a-fA-F]{6}$', description: 'a colour such as #f59e0b' })
const Title = Line({ minLength: 1, maxLength: 80 })
const Description = Paragraph({ maxLength: 500 })
const Texts = Type.Array(Line({ minLength: 1, maxLength: 100 }), { maxItems: 50 })

/** The order in which a source is played. Default: `playlist` for playlists, else `shuffle`. */
export const SourceOrder = Type.Union([
  Type.Literal('playlist'),
  Type.Literal('shuffle'),
  Type.Literal('leastRecentlyAired'),
  Type.Literal('newestFirst'),
  Type.Literal('mostLiked'),
])
export type SourceOrder = Static<typeof SourceOrder>

/**
 * A saved library query. A video matches if it matches every field that is present; a list matches if one of its entries
 * does, and an empty list or text matches everything. Artists, genres and tags are compared without case.
 */
export const SmartQuery = Type.Object(
  {
    categories: Type.Optional(Type.Array(VideoCategory, { maxItems: 10 })),
    tags: Type.Optional(Texts),
    genres: Type.Optional(Texts),
    artists: Type.Optional(Texts),
    /** Artists whose videos are left out. */
    excludedArtists: Type.Optional(Texts),
    /** Part of the title or the artist's name, without case. */
    text: Type.Optional(Line({ maxLength: 100 })),
    minDurationMs: Type.Optional(Type.Integer({ minimum: 0 })),
    maxDurationMs: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Only videos added to the library within this many days. */
    addedWithinDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
    /** Only videos that have not aired on this channel for this many hours. */
    notAiredForHours: Type.Optional(Type.Number({ minimum: 0, maximum: 8760 })),
  },
  strict,
)
export type SmartQuery = Static<typeof SmartQuery>

/** Maximum number of programmes of a past evening that are aired again as one source. */
export const MAX_REPEATED_AIRINGS = 400

/** A programme that was on the air in [startedAtMs, endedAtMs). `id` identifies it in its source. */
export const RepeatedAiring = Type.Object(
  { id: Uuid, videoId: Uuid, startedAtMs: EpochMs, endedAtMs: EpochMs },
  strict,
)
export type RepeatedAiring = Static<typeof RepeatedAiring>

export const Source = Type.Union([
  Type.Object({ kind: Type.Literal('smart'), where: SmartQuery, order: Type.Optional(SourceOrder) }, strict),
  /** The playlist of a channel; without `channelId`, of this one. */
  Type.Object(
    {
      kind: Type.Literal('playlist'),
      channelId: Type.Optional(ChannelId),
      order: Type.Optional(SourceOrder),
    },
    strict,
  ),
  Type.Object({ kind: Type.Literal('video'), videoId: Uuid }, strict),
  /**
   * Programmes that were on a channel, in the order in which they were on. They are aired once and not repeated. The air log
   * is kept for a time only, so the source holds the list.
   */
  Type.Object(
    {
      kind: Type.Literal('airings'),
      channelId: ChannelId,
      airings: Type.Array(RepeatedAiring, { minItems: 1, maxItems: MAX_REPEATED_AIRINGS }),
    },
    strict,
  ),
  /** Short videos that fill the time before a hard start. */
  Type.Object({ kind: Type.Literal('filler'), where: SmartQuery, order: Type.Optional(SourceOrder) }, strict),
])
export type Source = Static<typeof Source>

/** The names of the sources of viewers' requests, chosen by turns and by votes. They need no entry in `sources`. */
export const REQUESTS_SOURCE = 'requests'
export const VOTES_SOURCE = 'votes'
/** The sources of viewers' requests. A document that defines a source with such a name plays that one. */
export const REQUEST_SOURCES: readonly string[] = [REQUESTS_SOURCE, VOTES_SOURCE]

/** How a slot chooses viewers' requests (docs/audience.md). */
export const RequestSlot = Type.Union([Type.Literal('turns'), Type.Literal('votes')])
export type RequestSlot = Static<typeof RequestSlot>

/** `station`: the station's name and logo; `next`: what comes up next; `previous`: what has just been shown. */
export const IdentKind = Type.Union([Type.Literal('station'), Type.Literal('next'), Type.Literal('previous')])
export type IdentKind = Static<typeof IdentKind>

export const IDENT_MIN_MS = 3000
export const IDENT_MAX_MS = 30_000

export const Slot = Type.Union([
  Type.Object(
    { ident: IdentKind, durationMs: Type.Integer({ minimum: IDENT_MIN_MS, maximum: IDENT_MAX_MS }) },
    strict,
  ),
  /** `count` videos, default 1. `fallback` is used for each video that `source` cannot provide. */
  Type.Object(
    {
      source: Name,
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      fallback: Type.Optional(Name),
    },
    strict,
  ),
  /** Videos until `durationMs` have passed since the slot began. */
  Type.Object(
    {
      source: Name,
      durationMs: Type.Integer({ minimum: 1000, maximum: 86_400_000 }),
      fallback: Type.Optional(Name),
    },
    strict,
  ),
])
export type Slot = Static<typeof Slot>

const strength = Type.Union([Type.Literal('hard'), Type.Literal('soft')])
/* @__NO_SIDE_EFFECTS__ */
const rule = (maximum: number) =>
  Type.Object({ value: Type.Number({ exclusiveMinimum: 0, maximum }), strength }, strict)

/** Rules of a channel; those of a block replace them one by one, except `excludedArtists`. */
export const Rules = Type.Object(
  {
    /** Shortest time between the end of a video and the start of the next one of the same artist. */
    artistSeparationMinutes: Type.Optional(rule(1440)),
    /** Shortest time between the starts of two airings of a video. */
    videoSeparationHours: Type.Optional(rule(720)),
    /** Maximum number of airings of a video that start on one local date. */
    maxAiringsPerDay: Type.Optional(
      Type.Object({ value: Type.Integer({ minimum: 1, maximum: 1000 }), strength }, strict),
    ),
    maxDurationMinutes: Type.Optional(rule(1440)),
    /** Videos with this tag start only between these local times. Always hard. */
    tagWindows: Type.Optional(
      Type.Array(
        Type.Object({ tag: Line({ minLength: 1, maxLength: 100 }), from: TimeOfDay, to: TimeOfDay }, strict),
        { maxItems: 20 },
      ),
    ),
    /** Artists that are not played. Always hard. Those of a block are added to those of the channel. */
    excludedArtists: Type.Optional(Texts),
  },
  strict,
)
export type Rules = Static<typeof Rules>

/** `soft`: starts when the current programme has ended. `hard`: starts at the second. */
const StartMode = Type.Union([Type.Literal('soft'), Type.Literal('hard')])

export const Weekday = Type.Union([
  Type.Literal('mon'),
  Type.Literal('tue'),
  Type.Literal('wed'),
  Type.Literal('thu'),
  Type.Literal('fri'),
  Type.Literal('sat'),
  Type.Literal('sun'),
])
export type Weekday = Static<typeof Weekday>

/** The content of a block or special: exactly one of `clock` and `source`. Default start: soft. */
const content = {
  start: Type.Optional(StartMode),
  clock: Type.Optional(Name),
  source: Type.Optional(Name),
  rules: Type.Optional(Rules),
}
const description = {
  id: Name,
  name: Title,
  description: Type.Optional(Description),
  colour: Type.Optional(Colour),
}

const days = Type.Array(Weekday, { minItems: 1, maxItems: 7, uniqueItems: true })
/** The block ends on the next day if `to` is not after `from`. */
const hours = { from: TimeOfDay, to: TimeOfDay }

/** A block (daypart) of the weekly grid. */
export const Block = Type.Object({ ...description, days, ...hours, ...content }, strict)
export type Block = Static<typeof Block>

/** A block of an override; without `days`, on each of its dates. */
export const OverrideBlock = Type.Object(
  { ...description, days: Type.Optional(days), ...hours, ...content },
  strict,
)
export type OverrideBlock = Static<typeof OverrideBlock>

/** The grid of the dates from `from` to `to`, both included. It replaces the weekly grid on these dates. */
export const Override = Type.Object(
  {
    id: Name,
    name: Type.Optional(Title),
    from: LocalDate,
    to: LocalDate,
    blocks: Type.Array(OverrideBlock, { maxItems: 100 }),
  },
  strict,
)

export type Override = Static<typeof Override>

/** One block at one instant, once. `at` is a local time of the channel's zone. */
export const Special = Type.Object(
  {
    ...description,
    at: LocalDateTime,
    durationMs: Type.Integer({ minimum: 60_000, maximum: 7 * 86_400_000 }),
    ...content,
  },
  strict,
)
export type Special = Static<typeof Special>

/** A video that does not start on this channel before the local date `untilDate`. */
export const Exclusion = Type.Object({ videoId: Uuid, untilDate: LocalDate }, strict)
export type Exclusion = Static<typeof Exclusion>

export const ScheduleDocument = Type.Object(
  {
    /** IANA name, such as `America/Los_Angeles`. */
    timeZone: Code({ minLength: 1, maxLength: 64 }),
    /** Plays outside blocks, and whenever a block has nothing to play. */
    defaultSource: Name,
    /** Publishing changes nothing that starts within this time. Default: 10. */
    freezeMinutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 1440 })),
    sources: Type.Record(Name, Source, { maxProperties: 200 }),
    clocks: Type.Optional(Type.Record(Name, Type.Array(Slot, { maxItems: 100 }), { maxProperties: 200 })),
    blocks: Type.Optional(Type.Array(Block, { maxItems: 500 })),
    overrides: Type.Optional(Type.Array(Override, { maxItems: 200 })),
    specials: Type.Optional(Type.Array(Special, { maxItems: 500 })),
    rules: Type.Optional(Rules),
    exclusions: Type.Optional(Type.Array(Exclusion, { maxItems: 500 })),
  },
  strict,
)
export type ScheduleDocument = Static<typeof ScheduleDocument>

/** An error in a schedule document. `path` is a JSON pointer (RFC 6901), such as `/blocks/2/source`. */
export const ScheduleProblem = Type.Object({ path: Type.String(), message: Type.String() })
export type ScheduleProblem = Static<typeof ScheduleProblem>
