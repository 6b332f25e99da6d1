import { type Static, Type } from 'typebox'
import { ChannelId, EpochMs, Instant, Nullable, strict, Uuid } from '../common.ts'
import { Code } from '../text-fields.ts'
import {
  AddChannelVideosBody,
  ChannelOrderBody,
  MAX_PLAYLIST_ITEMS,
  SavePlaylistBody,
} from './channel-playlists.ts'
import { ChannelLoop } from './loops.ts'
import { ProgrammeKind, ScheduleReason } from './schedules.ts'

/**
 * POST /api/channels/:id/simulate (admin): the timeline after a change of the playlist. Nothing is written.
 *
 * - `remove`: items to remove. `order`: all remaining items in their new order; 409 if others were added or removed.
 * - `add`: videos to add.
 * - `list`: the whole playlist as in PUT /api/channels/:id/playlist, instead of the other three. Items and videos that no
 *   longer exist are ignored.
 *
 * Without changes the response is the current timeline.
 */
export const SimulateBody = Type.Object(
  {
    order: Type.Optional(ChannelOrderBody.properties.itemIds),
    remove: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 10_000, uniqueItems: true })),
    add: Type.Optional(
      Type.Object(
        {
          ...AddChannelVideosBody.properties,
          videoIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_PLAYLIST_ITEMS }),
        },
        strict,
      ),
    ),
    list: Type.Optional(SavePlaylistBody),
    shuffleEnabled: Type.Optional(Type.Boolean()),
    hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, default: 3 })),
  },
  strict,
)
export type SimulateBody = Static<typeof SimulateBody>

/**
 * A simulated programme.
 *
 * - `isFixed`: it is playing or about to start, so that no edit changes it.
 * - `change` compared with the current timeline: same start, another start (`previousStartMs`), or new in these hours.
 * - `followsSameArtist`: the previous programme is of the same artist.
 * - `programmeId`: the same programme of the current timeline, if there is one.
 */
export const SimulatedProgramme = Type.Object({
  programmeId: Nullable(Type.String()),
  seq: Type.Integer(),
  videoId: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
  isFixed: Type.Boolean(),
  change: Type.Union([Type.Literal('same'), Type.Literal('moved'), Type.Literal('new')]),
  previousStartMs: Nullable(EpochMs),
  followsSameArtist: Type.Boolean(),
})
export type SimulatedProgramme = Static<typeof SimulatedProgramme>

/** A video of the playlist that is not scheduled: removed from the library, quarantined, unavailable on YouTube, without a title yet, or with an unsupported URL. */
export const UnplayableVideo = Type.Object({
  videoId: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  reason: Type.Union([
    Type.Literal('removed'),
    Type.Literal('quarantined'),
    Type.Literal('unavailable'),
    Type.Literal('untitled'),
    Type.Literal('unsupported'),
  ]),
})
export type UnplayableVideo = Static<typeof UnplayableVideo>

/** What adding videos to the playlist of a channel with a schedule changes on the air. */
export const SimulatedSchedule = Type.Object({
  usesPlaylist: Type.Boolean(),
  airings: Type.Integer({ minimum: 0 }),
  airingsBefore: Type.Integer({ minimum: 0 }),
  firstAiringMs: Nullable(EpochMs),
  plannedUntilMs: EpochMs,
})
export type SimulatedSchedule = Static<typeof SimulatedSchedule>

/**
 * The simulated timeline of the next hours, at most 500 programmes.
 *
 * - `isOnAir`: false if the channel is off the air. The timeline then assumes a start at `serverNowMs`.
 * - `firstChangeMs`: time of the first difference from the current timeline; null if there is none.
 * - `loop`: the channel's loop before and after the change. A channel with a schedule plays no loop: see `schedule`.
 * - `schedule`: null without one. `usesPlaylist`: a source of the schedule is the channel's own playlist. `airings`: how often
 *   the added videos air in the planned time (until `plannedUntilMs`) after the change, from any source; `airingsBefore`:
 *   without it.
 * - `dropped`: videos of these hours that are no longer scheduled. `unplayable`: at most 100 of `unplayableCount`.
 */
export const Simulation = Type.Object({
  channelId: ChannelId,
  serverNowMs: EpochMs,
  isOnAir: Type.Boolean(),
  videosCount: Type.Integer({ minimum: 0 }),
  loop: Type.Object({ before: ChannelLoop, after: ChannelLoop }),
  schedule: Nullable(SimulatedSchedule),
  firstChangeMs: Nullable(EpochMs),
  sameArtistCount: Type.Integer({ minimum: 0 }),
  programmes: Type.Array(SimulatedProgramme),
  dropped: Type.Array(
    Type.Object({ videoId: Uuid, title: Type.String(), artistName: Type.String(), previousStartMs: EpochMs }),
  ),
  unplayable: Type.Array(UnplayableVideo),
  unplayableCount: Type.Integer({ minimum: 0 }),
})
export type Simulation = Static<typeof Simulation>

export const ProgrammeParams = Type.Object(
  {
    id: ChannelId,
    programmeId: Code({ maxLength: 120, pattern: '^[a-z0-9-]+\\.\\d{1,15}\\.\\d{1,15}$' }),
  },
  strict,
)

/**
 * GET /api/channels/:id/programmes/:programmeId/explanation (admin): why a programme is scheduled, while it is in
 * the timeline.
 *
 * - `cycleSeq`: the `seq` of the first programme of its cycle. A cycle plays the playlist once.
 * - `positionInCycle`: from 1.
 * - `playlistPosition`: from 0; null if the playlist does not contain the video. `source` is `library` if the
 *   default channel has no live playlist and plays its fallback.
 * - `order`: `playlist`: playlist order; `shuffled`: as shuffled with `seed`; `separated`: moved after the shuffle so that
 *   no artist follows itself; `edited`: the cycle was changed after its start.
 * - `schedule`: for a scheduled channel, the version, block or special (`blockName`), slot and source that chose the programme,
 *   whether it is cut short, and the rules that were relaxed. The fields of the loop have no meaning then.
 * - `change`: the change that created this part of the timeline; null if it is no longer stored. Without an actor the
 *   station made it because a video had changed. `isExtension`: the programme was appended later.
 */
export const ProgrammeExplanation = Type.Object({
  programmeId: Type.String(),
  seq: Type.Integer(),
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
  title: Type.String(),
  artistName: Type.String(),
  artistBefore: Nullable(Type.String()),
  artistAfter: Nullable(Type.String()),
  schedule: Nullable(
    Type.Object({
      kind: ProgrammeKind,
      /** 0: a request in the loop of a channel without a schedule. */
      version: Type.Integer({ minimum: 0 }),
      cut: Type.Boolean(),
      blockName: Nullable(Type.String()),
      ...ScheduleReason.properties,
    }),
  ),
  source: Type.Union([Type.Literal('playlist'), Type.Literal('library')]),
  playlistPosition: Nullable(Type.Integer({ minimum: 0 })),
  cycleSeq: Type.Integer(),
  positionInCycle: Type.Integer({ minimum: 1 }),
  order: Type.Union([
    Type.Literal('playlist'),
    Type.Literal('shuffled'),
    Type.Literal('separated'),
    Type.Literal('edited'),
  ]),
  seed: Nullable(Type.String()),
  change: Nullable(
    Type.Object({
      kind: Type.Union([
        Type.Literal('edit'),
        Type.Literal('restart'),
        Type.Literal('reset'),
        Type.Literal('takeover'),
      ]),
      actorId: Nullable(Uuid),
      changedAt: Instant,
      isExtension: Type.Boolean(),
    }),
  ),
})
export type ProgrammeExplanation = Static<typeof ProgrammeExplanation>
