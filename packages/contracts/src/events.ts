import { type Static, type TSchema, Type } from 'typebox'
import { ChannelId, Instant, Nullable, RestrictionType, Role, Uuid } from './common.ts'
import { StreamStatus } from './http/channels.ts'
import { ChatMessage } from './http/chat.ts'
import { MetadataJobState } from './http/metadata.ts'
import { MAX_DECISIONS_PER_REQUEST } from './http/submissions.ts'
import { OutdatedSession, Profile } from './http/users.ts'
import { Video } from './http/videos.ts'
import { PlaylistFailed, PlaylistRead, PlaylistRequested } from './playlist-events.ts'

/** Publishers of events. Each owner has one JetStream stream, named in capitals, and publishes audit events to {@link AUDIT_STREAM}. */
export const OWNERS = ['auth', 'catalogue', 'stream', 'chat', 'admin', 'metadata'] as const
export type Owner = (typeof OWNERS)[number]
export const streamName = (owner: Owner): string => owner.toUpperCase()

/** Holds the audit events of all owners. It never discards an unacknowledged event: when full, it refuses new ones. */
export const AUDIT_STREAM = 'AUDIT'
export const AUDIT_SUBJECTS = '*.audit.recorded.v1'

/** All streams, the audit stream last. */
export const STREAMS: readonly string[] = [...OWNERS.map(streamName), AUDIT_STREAM]

/** Data of an audit event, which is written in the transaction of the admin's change. */
export const AuditRecorded = Type.Object({
  action: Type.String(),
  targetType: Nullable(Type.String()),
  targetId: Nullable(Type.String()),
  targetUserId: Nullable(Uuid),
  before: Type.Unknown(),
  after: Type.Unknown(),
  details: Type.Unknown(),
})

const ChannelSummary = Type.Object({
  channelId: Type.String(),
  name: Type.String(),
  isActive: Type.Boolean(),
})

/**
 * A video in an event. The previous release publishes videos without tags and trim points, and its events are stored for a
 * week.
 */
const PublishedVideo = Type.Object({
  ...Video.properties,
  tags: Type.Optional(Video.properties.tags),
  startAtMs: Type.Optional(Video.properties.startAtMs),
  endAtMs: Type.Optional(Video.properties.endAtMs),
})
export type PublishedVideo = Static<typeof PublishedVideo>

/** Maximum videos per event. */
export const MAX_VIDEOS_PER_EVENT = 500
const VideoBatch = Type.Array(PublishedVideo, { minItems: 1, maxItems: MAX_VIDEOS_PER_EVENT })

/** Maximum chat messages per event. Fifty of the longest, with every character escaped, are within the limit of an event. */
export const MAX_MESSAGES_PER_EVENT = 50

/**
 * All events with the schema of their data. Subject and type are the same string:
 * `<owner>.<entity>.<past tense>.v<n>`.
 */
export const EVENTS = {
  'auth.user.registered.v1': Type.Object({ userId: Uuid, profile: Profile }),
  /** `deletesMessages`: the owner asked to delete the account's chat messages too. */
  'auth.user.deleted.v1': Type.Object({ userId: Uuid, deletesMessages: Type.Optional(Type.Boolean()) }),
  'auth.profile.updated.v1': Type.Object({ userId: Uuid, profile: Profile }),
  'auth.role.changed.v1': Type.Object({ userId: Uuid, role: Role }),
  'auth.user.restricted.v1': Type.Object({
    userId: Uuid,
    restrictionId: Uuid,
    restrictionType: RestrictionType,
    reason: Type.String(),
    expiresAt: Nullable(Instant),
  }),
  'auth.user.unrestricted.v1': Type.Object({
    userId: Uuid,
    restrictionId: Uuid,
    restrictionType: RestrictionType,
  }),
  /**
   * Sessions that ended, and `outdated` ones: they continue, but their tokens below a generation are refused. `untilMs`:
   * when the last of these access tokens expires (epoch ms).
   */
  'auth.session.revoked.v1': Type.Object({
    userId: Uuid,
    sessionIds: Type.Array(Uuid, { maxItems: 100 }),
    untilMs: Type.Integer(),
    outdated: Type.Optional(Type.Array(OutdatedSession, { maxItems: 100 })),
  }),
  /** `untilMs`: when the last access token signed with this key expires (epoch ms). */
  'auth.key.revoked.v1': Type.Object({ kid: Type.String({ maxLength: 64 }), untilMs: Type.Integer() }),
  'auth.audit.recorded.v1': AuditRecorded,

  /** A video was added to the library: by a user with curation rights, or by accepting a submission. */
  'catalogue.video.added.v1': Type.Object({ video: PublishedVideo }),
  'catalogue.video.updated.v1': Type.Object({ video: PublishedVideo }),
  'catalogue.video.removed.v1': Type.Object({ videoId: Uuid }),
  /** Like the three events above, for bulk changes; one event per {@link MAX_VIDEOS_PER_EVENT} videos. */
  'catalogue.videos.added.v1': Type.Object({ videos: VideoBatch }),
  'catalogue.videos.updated.v1': Type.Object({ videos: VideoBatch }),
  'catalogue.videos.removed.v1': Type.Object({
    videoIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_VIDEOS_PER_EVENT }),
  }),
  /** `missingOnly`: a repeated request for videos without metadata; ignored for videos that have a job. */
  'catalogue.metadata.requested.v1': Type.Object({
    youtubeIds: Type.Array(Type.String(), { minItems: 1, maxItems: 500 }),
    force: Type.Boolean(),
    missingOnly: Type.Optional(Type.Boolean()),
  }),
  /** Media files whose duration is assumed. `url` is absolute or a path of the site. */
  'catalogue.probe.requested.v1': Type.Object({
    media: Type.Array(Type.Object({ videoId: Uuid, url: Type.String() }), { minItems: 1, maxItems: 500 }),
  }),
  'catalogue.playlist.requested.v1': PlaylistRequested,
  'catalogue.home.changed.v1': Type.Object({}),
  /** A video under review was submitted, received its title, or was deleted. For moderators only. */
  'catalogue.submission.changed.v1': Type.Object({ videoId: Uuid }),
  /** A decision on a submission. One event per 100 submitters. */
  'catalogue.submission.decided.v1': Type.Object({
    videoId: Uuid,
    state: Type.Union([Type.Literal('accepted'), Type.Literal('rejected')]),
    reason: Nullable(Type.String()),
    submitters: Type.Array(Uuid, { maxItems: 100 }),
  }),
  /** Requests to append accepted videos to a channel's playlist. The scheduler ignores an unknown channel. */
  'catalogue.airing.requested.v1': Type.Object({
    channelId: ChannelId,
    videoIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_DECISIONS_PER_REQUEST }),
  }),
  'catalogue.audit.recorded.v1': AuditRecorded,

  'stream.channel.created.v1': ChannelSummary,
  'stream.channel.updated.v1': ChannelSummary,
  'stream.channel.deleted.v1': Type.Object({ channelId: Type.String() }),
  /** The channel's timeline was replaced from `fromSeq` on. */
  'stream.timeline.changed.v1': Type.Object({
    channelId: Type.String(),
    timelineVersion: Type.Integer(),
    fromSeq: Type.Integer(),
  }),
  /** Programmes were appended to the timeline; existing ones are unchanged. */
  'stream.timeline.extended.v1': Type.Object({
    channelId: Type.String(),
    timelineVersion: Type.Integer(),
    endsAtMs: Type.Integer(),
  }),
  'stream.programme.started.v1': Type.Object({
    channelId: Type.String(),
    programmeId: Type.String(),
    seq: Type.Integer(),
    videoId: Uuid,
    startsAtMs: Type.Integer(),
    endsAtMs: Type.Integer(),
  }),
  'stream.status.changed.v1': Type.Object({ channelId: Type.String(), status: StreamStatus }),
  /** Viewers' players could not play the video. The catalogue marks it and refreshes its metadata. */
  'stream.video.quarantined.v1': Type.Object({
    videoId: Uuid,
    channelId: Type.String(),
    reason: Type.String(),
  }),
  /** Players on several networks measured the same duration for a video whose duration was assumed. */
  'stream.duration.learned.v1': Type.Object({ videoId: Uuid, durationMs: Type.Integer({ minimum: 1000 }) }),
  'stream.audit.recorded.v1': AuditRecorded,

  'chat.message.posted.v1': Type.Object({ message: ChatMessage }),
  /** Like the event above, for messages of one channel that were committed together, in the order of their numbers. */
  'chat.messages.posted.v1': Type.Object({
    messages: Type.Array(ChatMessage, { minItems: 2, maxItems: MAX_MESSAGES_PER_EVENT }),
  }),
  'chat.message.removed.v1': Type.Object({ channelId: Type.String(), messageId: Uuid, seq: Type.Integer() }),
  /** A channel's chat settings changed. `slowModeS`: seconds between two messages of one viewer; 0 is off. */
  'chat.settings.changed.v1': Type.Object({
    channelId: Type.String(),
    slowModeS: Type.Integer({ minimum: 0 }),
  }),
  'chat.audit.recorded.v1': AuditRecorded,

  'admin.theme.activated.v1': Type.Object({ theme: Type.Unknown() }),
  'admin.audit.recorded.v1': AuditRecorded,

  /** A video's metadata from YouTube. */
  'metadata.video.resolved.v1': Type.Object({
    youtubeId: Type.String(),
    title: Type.String(),
    description: Nullable(Type.String()),
    thumbnailUrl: Nullable(Type.String()),
    artistName: Nullable(Type.String()),
    durationMs: Nullable(Type.Integer({ minimum: 0 })),
    embeddable: Type.Boolean(),
    regionBlocked: Type.Array(Type.String()),
  }),
  /**
   * YouTube does not play the video: removed, private, not embeddable … A premiere or live stream (`upcoming`, `live`) is to
   * be looked up again at `lookUpAgainAt`.
   */
  'metadata.video.unavailable.v1': Type.Object({
    youtubeId: Type.String(),
    reason: Type.String(),
    lookUpAgainAt: Type.Optional(Instant),
  }),
  /** Measured duration of a media file. */
  'metadata.media.probed.v1': Type.Object({
    videoId: Uuid,
    url: Type.String(),
    durationMs: Type.Integer({ minimum: 1 }),
  }),
  'metadata.playlist.read.v1': PlaylistRead,
  'metadata.playlist.failed.v1': PlaylistFailed,
  /** Jobs or results were lost, or may have been: services request missing metadata again. */
  'metadata.queue.emptied.v1': Type.Object({}),
  'metadata.audit.recorded.v1': AuditRecorded,
} as const satisfies Record<string, TSchema>

export type EventType = keyof typeof EVENTS
export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]>

/** An event as it is published. `aggregateVersion` increases per aggregate: consumers ignore older versions. */
export interface Envelope<T extends EventType = EventType> {
  id: string
  type: T
  /** RFC 3339 */
  occurredAt: string
  actorId: string | null
  correlationId: string | null
  aggregateId: string
  aggregateVersion: number
  data: EventData<T>
}

/** Schema of the envelope without its data. Consumers validate messages with it. */
export const EnvelopeShape = Type.Object({
  id: Uuid,
  type: Type.String(),
  occurredAt: Instant,
  actorId: Nullable(Type.String()),
  correlationId: Nullable(Type.String()),
  aggregateId: Type.String(),
  aggregateVersion: Type.Integer(),
  data: Type.Unknown(),
})

export const ownerOf = (type: EventType): Owner => type.slice(0, type.indexOf('.')) as Owner

/** The stream that stores events of this type. */
export const streamOf = (type: EventType): string =>
  type.endsWith('.audit.recorded.v1') ? AUDIT_STREAM : streamName(ownerOf(type))

/** The subjects that a stream accepts: exactly the event types it stores. */
export const subjectsOf = (stream: string): string[] =>
  stream === AUDIT_STREAM
    ? [AUDIT_SUBJECTS]
    : (Object.keys(EVENTS) as EventType[]).filter((type) => streamOf(type) === stream)

/** Core NATS subjects. Messages are not stored: subscribers receive only what is published while they are connected. */
export const LIVE_SUBJECTS = {
  /** Progress of a metadata job: {@link MetadataProgress}. */
  metadataProgress: 'live.metadata.progress',
  /** Heartbeat of a gateway: {@link GatewayHeartbeat}. */
  gatewayHeartbeat: 'live.gateways.heartbeat',
  /** `live.viewers.<gatewayId>`: {@link ViewerCounts}. */
  viewers: (gatewayId: string): string => `live.viewers.${gatewayId}`,
  allViewers: 'live.viewers.*',
  /** `live.topics.<topic>`: clients' broadcasts and presence of a topic, between gateways. */
  topic: (topic: string): string => `live.topics.${topic}`,
} as const

export const MetadataProgress = Type.Object({
  youtubeId: Type.String(),
  state: MetadataJobState,
  reason: Nullable(Type.String()),
})
export type MetadataProgress = Static<typeof MetadataProgress>

/** `started`: the gateway has no state of the others yet. `stopping`: it has closed its sockets. */
export const GatewayHeartbeat = Type.Object({
  gatewayId: Type.String(),
  state: Type.Union([Type.Literal('started'), Type.Literal('running'), Type.Literal('stopping')]),
})
export type GatewayHeartbeat = Static<typeof GatewayHeartbeat>

/** Number of sockets per channel at one gateway. A partial message contains only channels whose count has changed. */
export const ViewerCounts = Type.Object({
  gatewayId: Type.String(),
  counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  isPartial: Type.Optional(Type.Boolean()),
})
export type ViewerCounts = Static<typeof ViewerCounts>
