import { type Static, Type } from 'typebox'
import { EpochMs, Instant, Nullable, strict, Uuid } from '../common.ts'
import { Line } from '../text-fields.ts'

// Live takeover: an admin or moderator puts videos or a live stream on the air of a channel at once. For admins and
// moderators.

/** Maximum videos of a takeover. */
export const MAX_TAKEOVER_VIDEOS = 200
/** Time after its start (ms) in which a takeover can be undone. */
export const TAKEOVER_UNDO_MS = 10_000
/** Longest takeover with a planned end, in ms. */
export const MAX_TAKEOVER_MS = 24 * 3_600_000

/**
 * The programmes after a takeover. `join`: those that would be on the air without it, in progress. `continue`: the
 * interrupted video from where it stopped, then what followed it.
 */
export const ReturnPolicy = Type.Union([Type.Literal('join'), Type.Literal('continue')])
export type ReturnPolicy = Static<typeof ReturnPolicy>

/**
 * POST /api/channels/:id/takeover (admin, moderator; guarded): plays these videos at once, in their order.
 *
 * - `until`: `content` ends with the last video; `stopped` repeats them until the takeover is stopped; else an instant.
 * - `isLive`: the only video is a live stream (HLS). It is played at its live edge, not from its beginning, and needs
 *   another end than `content`.
 * - `title`: shown to viewers like the name of a block. Default: "Live special".
 *
 * 409 `conflict` if a takeover is on; 422 `unprocessable` if the channel is off the air or a video cannot be played.
 */
export const StartTakeoverBody = Type.Object(
  {
    videoIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_TAKEOVER_VIDEOS }),
    isLive: Type.Optional(Type.Boolean()),
    until: Type.Union([Type.Literal('content'), Type.Literal('stopped'), Instant]),
    returnPolicy: ReturnPolicy,
    title: Type.Optional(Line({ minLength: 1, maxLength: 80, pattern: '\\S' })),
  },
  strict,
)
export type StartTakeoverBody = Static<typeof StartTakeoverBody>

/** `endsAtMs`: null until it is stopped. `undoableUntilMs`: see {@link StopTakeoverQuery}. */
export const Takeover = Type.Object({
  id: Uuid,
  title: Type.String(),
  videoIds: Type.Array(Uuid),
  isLive: Type.Boolean(),
  startsAtMs: EpochMs,
  endsAtMs: Nullable(EpochMs),
  returnPolicy: ReturnPolicy,
  startedBy: Nullable(Uuid),
  undoableUntilMs: EpochMs,
})
export type Takeover = Static<typeof Takeover>

/** GET /api/channels/:id/takeover: the takeover that is on, or null. */
export const CurrentTakeover = Type.Object({ takeover: Nullable(Takeover) })
export type CurrentTakeover = Static<typeof CurrentTakeover>

/** Longest range of past takeovers, in ms: a week and a change of the clock. */
export const MAX_TAKEOVERS_RANGE_MS = 8 * 86_400_000
/** GET /api/channels/:id/takeovers: takeovers that were on in [fromMs, toMs), at most {@link MAX_TAKEOVERS_RANGE_MS}. */
export const PastTakeoversQuery = Type.Object({ fromMs: EpochMs, toMs: EpochMs }, strict)
/** What the air log has of a takeover. Ones that followed each other under the same title are one. */
export const PastTakeover = Type.Object({ title: Type.String(), startsAtMs: EpochMs, endsAtMs: EpochMs })
export type PastTakeover = Static<typeof PastTakeover>
/** The newest 200, oldest first. */
export const PastTakeovers = Type.Object({ items: Type.Array(PastTakeover) })

/**
 * DELETE /api/channels/:id/takeover: ends the takeover now. With `undo`, the channel continues as if there had been none,
 * independently of the return policy; 409 `conflict` more than ten seconds after the start. 404 if none is on.
 */
export const StopTakeoverQuery = Type.Object({ undo: Type.Optional(Type.Boolean()) }, strict)
