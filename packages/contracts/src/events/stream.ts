import { type Static, Type } from 'typebox'
import { ChannelId, Nullable, Uuid } from '../common.ts'
import { auditEvent, event, type Push, push, toAdmins } from '../event.ts'
import { StreamStatus } from '../http/channels.ts'
import { type ServerPushes, topics } from '../realtime.ts'

const ChannelSummary = Type.Object({
  channelId: Type.String(),
  name: Type.String(),
  isActive: Type.Boolean(),
})

/** The way in which a slot of a clock chooses a request: by turns, or by votes (docs/fairness.md). */
const Currency = Type.Union([Type.Literal('turn'), Type.Literal('vote')])

/** A request that was before the chosen one, and the rule that forbade it when the slot began. */
const PassedOverRequest = Type.Object({ request: Uuid, rule: Type.String() })

/**
 * Why a programme is a request: `sequence` is the queue that it was chosen from, `passedOver` those of that queue which were
 * before it. Contains no accounts.
 */
export const ProgrammeRequest = Type.Object({
  id: Uuid,
  currency: Currency,
  sequence: Type.Integer({ minimum: 1 }),
  passedOver: Type.Array(PassedOverRequest),
})
export type ProgrammeRequest = Static<typeof ProgrammeRequest>

const toGuides = (payload: ServerPushes['guide']['changed']): Push =>
  push('guide', topics.guide, 'changed', payload)

const channelsChanged = ({ channelId }: { channelId: string }): Push[] => [
  push('station', topics.station, 'channels', { channel: { id: channelId } }),
  toGuides({ channelId }),
]

/** The events of the stream scheduler. */
export const streamEvents = [
  event('stream.channel.created.v1', {
    data: ChannelSummary,
    consumers: ['chat'],
    listeners: ['stream-scheduler'],
    push: channelsChanged,
    outdates: 'stream-scheduler',
  }),
  event('stream.channel.updated.v1', {
    data: ChannelSummary,
    consumers: ['chat', 'audience'],
    listeners: ['stream-scheduler'],
    push: channelsChanged,
    outdates: 'stream-scheduler',
  }),
  event('stream.channel.deleted.v1', {
    data: Type.Object({ channelId: Type.String() }),
    consumers: ['catalogue', 'chat', 'audience'],
    listeners: ['stream-scheduler'],
    push: channelsChanged,
    outdates: 'stream-scheduler',
  }),
  /** The channel's timeline was replaced from `fromSeq` on. */
  event('stream.timeline.changed.v1', {
    data: Type.Object({
      channelId: Type.String(),
      timelineVersion: Type.Integer(),
      fromSeq: Type.Integer(),
    }),
    consumers: ['audience'],
    listeners: ['stream-scheduler'],
    // Viewers receive the new programmes (`now`) as soon as the gateway has fetched them.
    push: ({ channelId, timelineVersion }) => [
      toGuides({ channelId, timelineVersion }),
      toAdmins('timeline', { channelId, timelineVersion }, `timeline ${channelId}`),
    ],
    outdates: 'stream-scheduler',
  }),
  /** Programmes were appended to the timeline; existing ones are unchanged. */
  event('stream.timeline.extended.v1', {
    data: Type.Object({
      channelId: Type.String(),
      timelineVersion: Type.Integer(),
      endsAtMs: Type.Integer(),
    }),
    consumers: ['audience'],
    listeners: ['stream-scheduler'],
    push: ({ channelId, timelineVersion, endsAtMs }) => [toGuides({ channelId, timelineVersion, endsAtMs })],
    outdates: 'stream-scheduler',
  }),
  event('stream.programme.started.v1', {
    data: Type.Object({
      channelId: Type.String(),
      programmeId: Type.String(),
      seq: Type.Integer(),
      videoId: Uuid,
      startsAtMs: Type.Integer(),
      endsAtMs: Type.Integer(),
      // Missing in events of the previous release.
      channelName: Type.Optional(Type.String()),
      title: Type.Optional(Type.String()),
      artist: Type.Optional(Nullable(Type.String())),
      // Only of a programme that is a viewer's request.
      request: Type.Optional(ProgrammeRequest),
    }),
    consumers: ['admin-audit', 'audience'],
    push: ({ channelId, videoId, startsAtMs, endsAtMs }) => [
      toAdmins('programme', { channelId, videoId, startsAtMs, endsAtMs }, `programme ${channelId}`),
    ],
    // It changes the air log, but not the guide.
    outdates: 'air-log',
  }),
  /**
   * What a channel does with the waiting requests of its newest queue. `planned`: all programmes of the timeline that are
   * requests and have not started, in the order of their starts; a request that is missing is not planned, and undone if it
   * was decided. `isDecided`: nothing but a person's change or a cut replaces the programme any more; only then `passedOver` is
   * filled. `blocked`: requests that a rule forbids at present, until `untilMs` (epoch ms; null if that is not known).
   * Published in the transaction that plans, if something differs from the event before. Contains no accounts.
   */
  event('stream.requests.planned.v1', {
    data: Type.Object({
      channelId: ChannelId,
      planned: Type.Array(
        Type.Object({
          requestId: Uuid,
          currency: Currency,
          sequence: Type.Integer({ minimum: 1 }),
          startsAtMs: Type.Integer(),
          isDecided: Type.Boolean(),
          passedOver: Type.Array(PassedOverRequest),
        }),
      ),
      blocked: Type.Array(
        Type.Object({ requestId: Uuid, rule: Type.String(), untilMs: Nullable(Type.Integer()) }),
      ),
    }),
    consumers: ['audience'],
  }),
  event('stream.schedule.published.v1', {
    data: Type.Object({ channelId: Type.String(), channelName: Type.String(), version: Type.Integer() }),
    consumers: ['admin-audit', 'audience'],
  }),
  event('stream.takeover.started.v1', {
    data: Type.Object({
      channelId: Type.String(),
      channelName: Type.String(),
      takeoverId: Uuid,
      title: Type.String(),
      isLive: Type.Boolean(),
      startsAtMs: Type.Integer(),
      endsAtMs: Nullable(Type.Integer()),
    }),
    consumers: ['admin-audit'],
  }),
  event('stream.status.changed.v1', {
    data: Type.Object({ channelId: Type.String(), status: StreamStatus }),
    consumers: ['admin-audit'],
    listeners: ['stream-scheduler'],
    push: ({ channelId, status }) => [
      push('stream', topics.stream(channelId), 'status', { status }),
      toGuides({ channelId }),
      toAdmins('status', { channelId, status }, `status ${channelId}`),
    ],
    outdates: 'stream-scheduler',
  }),
  /** Viewers' players could not play the video. The catalogue marks it and refreshes its metadata. */
  event('stream.video.quarantined.v1', {
    data: Type.Object({
      videoId: Uuid,
      channelId: Type.String(),
      reason: Type.String(),
    }),
    consumers: ['catalogue'],
    push: ({ videoId, channelId, reason }) => [toAdmins('quarantined', { videoId, channelId, reason })],
    outdates: 'stream-scheduler',
  }),
  /** Players on several networks measured the same duration for a video whose duration was assumed. */
  event('stream.duration.learned.v1', {
    data: Type.Object({ videoId: Uuid, durationMs: Type.Integer({ minimum: 1000 }) }),
    consumers: ['catalogue'],
  }),
  auditEvent('stream', { isShownToAdmins: true, outdates: 'stream-scheduler' }),
] as const
