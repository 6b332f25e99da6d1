import { type Static, Type } from 'typebox'
import { ChannelId, EpochMs, Instant, Nullable, strict, Uuid } from '../common.ts'
import { AddChannelVideosBody, ChannelOrderBody, MAX_PLAYLIST_ITEMS, SavePlaylistBody } from './channels.ts'

/**
 * POST /api/channels/:id/simulate (admin): what viewers would see if the playlist were changed so; nothing is written.
 * `remove` and `order` name items (`order` all that stay: 409 when others were added or removed meanwhile), `add` videos.
 * `list` is the whole playlist as PUT /api/channels/:id/playlist takes it, instead of the other three; items and videos
 * that are gone are left out of it. Without changes the answer is the future as it is.
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
 * A programme that would be. `isFixed`: it is on the air or begins in a moment, no edit changes it. `change` against
 * the future as it is: at the same instant, at another (`previousStartMs`), or not in these hours. `followsSameArtist`: the
 * one before is of the same artist. `programmeId`: the programme of the timeline that it is, if it is one already.
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

/** Why a video of the playlist will not be on: removed from the library, quarantined, gone from YouTube, no address we play. */
export const UnplayableVideo = Type.Object({
  videoId: Uuid,
  title: Type.String(),
  artistName: Type.String(),
  reason: Type.Union([
    Type.Literal('removed'),
    Type.Literal('quarantined'),
    Type.Literal('unavailable'),
    Type.Literal('unsupported'),
  ]),
})
export type UnplayableVideo = Static<typeof UnplayableVideo>

/**
 * What a channel plays again and again: how many videos, and how long they take together. `source` is `library` when
 * the default channel has no playable live playlist and plays the public videos.
 */
export const ChannelLoop = Type.Object({
  source: Type.Union([Type.Literal('playlist'), Type.Literal('library')]),
  videosCount: Type.Integer({ minimum: 0 }),
  durationMs: Type.Integer({ minimum: 0 }),
})
export type ChannelLoop = Static<typeof ChannelLoop>

/**
 * The next hours as they would be, at most 500 programmes. `isOnAir` false: the channel is off the air, and this is what
 * a start at `serverNowMs` would bring. `firstChangeMs`: until then nothing changes; null when nothing does at all.
 * `loop`: what the channel repeats now, and what it would repeat.
 * `gone`: what would not be on any more in these hours. `unplayable`: at most 100 of `unplayableCount`.
 */
export const Simulation = Type.Object({
  channelId: ChannelId,
  serverNowMs: EpochMs,
  isOnAir: Type.Boolean(),
  videosCount: Type.Integer({ minimum: 0 }),
  loop: Type.Object({ before: ChannelLoop, after: ChannelLoop }),
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
    programmeId: Type.String({ maxLength: 120, pattern: '^[a-z0-9-]+\\.\\d{1,15}\\.\\d{1,15}$' }),
  },
  strict,
)

/**
 * GET /api/channels/:id/programmes/:programmeId/explanation (admin): why a programme is on, as long as the timeline holds it.
 *
 * - `place` in its round, from 1; a round is once through the playlist.
 * - `playlistPosition` from 0; null when the playlist does not hold it (any more). `source` is `library` when the
 *   default channel has no live playlist and plays every public video.
 * - `order`: `playlist` order; `drawn` as the shuffle drew it with `seed`; `separated` moved from where it was drawn
 *   so that no artist follows itself; `edited` the round was changed after it had begun.
 * - `change` made this future, and is null when that is forgotten. Without an actor the station did it by itself,
 *   for a video had changed. `isExtension`: it was laid out later, as time went on.
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
      kind: Type.Union([Type.Literal('edit'), Type.Literal('restart'), Type.Literal('reset')]),
      actorId: Nullable(Uuid),
      changedAt: Instant,
      isExtension: Type.Boolean(),
    }),
  ),
})
export type ProgrammeExplanation = Static<typeof ProgrammeExplanation>
