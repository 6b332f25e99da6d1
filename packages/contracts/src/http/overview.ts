import { type Static, Type } from 'typebox'
import { ChannelId, EpochMs, Nullable } from '../common.ts'
import { StreamStatus } from './channels.ts'

/** A programme in the overview. `title`: null for a card. `artistName`: empty for a card. */
const OverviewProgramme = Type.Object({
  startsAtMs: EpochMs,
  endsAtMs: EpochMs,
  title: Nullable(Type.String()),
  artistName: Type.String(),
  thumbnailUrl: Nullable(Type.String()),
  /** Name of the block of the schedule. */
  blockName: Nullable(Type.String()),
})
export type OverviewProgramme = Static<typeof OverviewProgramme>

/** A problem of a channel as a sentence for admins, and the part of the channel in which it is fixed. */
const OverviewProblem = Type.Object({
  text: Type.String(),
  part: Type.Union([Type.Literal('stream'), Type.Literal('playlist'), Type.Literal('schedule')]),
})
export type OverviewProblem = Static<typeof OverviewProblem>

/** Time ahead for which an overview has the programmes, in ms: clients show them without another request. */
export const OVERVIEW_AHEAD_MS = 15 * 60_000

/**
 * What an admin watches of a channel. `programmes`: from the current one on, at least two if they are planned.
 * `nextHardStart`: the next block or special that starts to the second, within a week.
 */
export const ChannelOverview = Type.Object({
  channelId: ChannelId,
  name: Type.String(),
  status: StreamStatus,
  programmes: Type.Array(OverviewProgramme),
  nextHardStart: Nullable(Type.Object({ name: Type.String(), startsAtMs: EpochMs })),
  plannedUntilMs: Nullable(EpochMs),
  problems: Type.Array(OverviewProblem),
})
export type ChannelOverview = Static<typeof ChannelOverview>

/**
 * GET /api/channels/overview: the active channels by position, the number of videos in quarantine, and the channels whose
 * schedule has a draft that waits for approval.
 */
export const StationOverview = Type.Object({
  channels: Type.Array(ChannelOverview),
  quarantinedCount: Type.Integer({ minimum: 0 }),
  submittedDrafts: Type.Array(Type.Object({ channelId: ChannelId, name: Type.String() })),
})
export type StationOverview = Static<typeof StationOverview>
