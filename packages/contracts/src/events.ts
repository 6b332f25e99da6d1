import { type Static, Type } from 'typebox'
import { Instant, Nullable, Uuid } from './common.ts'
import { OWNERS, type Owner } from './event.ts'
import { adminEvents } from './events/admin.ts'
import { audienceEvents } from './events/audience.ts'
import { authEvents } from './events/auth.ts'
import { catalogueEvents } from './events/catalogue.ts'
import { chatEvents } from './events/chat.ts'
import { metadataEvents } from './events/metadata.ts'
import { streamEvents } from './events/stream.ts'
import { MetadataJobState } from './http/metadata.ts'

/** Each owner has one JetStream stream, named in capitals, and publishes audit events to {@link AUDIT_STREAM}. */
export const streamName = (owner: Owner): string => owner.toUpperCase()

/** Holds the audit events of all owners. It never discards an unacknowledged event: when full, it refuses new ones. */
export const AUDIT_STREAM = 'AUDIT'
export const AUDIT_SUBJECTS = '*.audit.recorded.v1'

/** All streams, the audit stream last. */
export const STREAMS: readonly string[] = [...OWNERS.map(streamName), AUDIT_STREAM]

const DEFINED = [
  ...authEvents,
  ...catalogueEvents,
  ...streamEvents,
  ...chatEvents,
  ...adminEvents,
  ...metadataEvents,
  ...audienceEvents,
]
type Defined = (typeof DEFINED)[number]

/** The definitions of all events by their type. */
export const EVENTS = Object.fromEntries(DEFINED.map((definition) => [definition.type, definition])) as {
  readonly [D in Defined as D['type']]: D
}

export type EventType = keyof typeof EVENTS
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[]
export type EventData<T extends EventType> = Static<(typeof EVENTS)[T]['data']>

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

/** The service that publishes events of a type: the part of its name before the first dot. */
export const ownerOf = (type: EventType): Owner => type.slice(0, type.indexOf('.')) as Owner

/** The stream that stores events of this type. */
export const streamOf = (type: EventType): string =>
  type.endsWith('.audit.recorded.v1') ? AUDIT_STREAM : streamName(ownerOf(type))

/** The subjects that a stream accepts: exactly the event types it stores. */
export const subjectsOf = (stream: string): string[] =>
  stream === AUDIT_STREAM ? [AUDIT_SUBJECTS] : EVENT_TYPES.filter((type) => streamOf(type) === stream)

/** Core NATS subjects. Messages are not stored: subscribers receive only what is published while they are connected. */
export const LIVE_SUBJECTS = {
  /** Progress of a metadata job: {@link MetadataProgress}. */
  metadataProgress: 'live.metadata.progress',
  /** Heartbeat of a gateway: {@link GatewayHeartbeat}. */
  gatewayHeartbeat: 'live.gateways.heartbeat',
  /** `live.viewers.<gatewayId>`: {@link ViewerCounts}. */
  viewers: (gatewayId: string): string => `live.viewers.${gatewayId}`,
  allViewers: 'live.viewers.*',
  /** `live.reactions.<gatewayId>`: {@link ReactionReport}. */
  reactions: (gatewayId: string): string => `live.reactions.${gatewayId}`,
  allReactions: 'live.reactions.*',
  /** `live.topics.<topic>`: clients' broadcasts and presence of a topic, between gateways. */
  topic: (topic: string): string => `live.topics.${topic}`,
} as const

/**
 * The reactions that one gateway has received during airings (channel and programme), once a second while there are new
 * ones. Numbers count from the first reaction of the airing, so that a lost report loses none.
 */
export const ReactionReport = Type.Object({
  gatewayId: Type.String(),
  airings: Type.Array(
    Type.Object({
      channelId: Type.String(),
      airingId: Type.String(),
      counts: Type.Record(Type.String(), Type.Integer({ minimum: 1 })),
    }),
  ),
})
export type ReactionReport = Static<typeof ReactionReport>

/** The largest number of joins or leaves of one gateway during an airing. */
const MAX_ATTENDANCE = 1_000_000

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

/**
 * Number of sockets per channel at one gateway. A partial message contains only channels whose count has changed.
 * `attendance`: how many viewers have joined and left at this gateway since the start of an airing (`seq`: its number in the
 * air log), so that a lost message loses none. Gateways of earlier releases do not send it.
 */
export const ViewerCounts = Type.Object({
  gatewayId: Type.String(),
  counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  isPartial: Type.Optional(Type.Boolean()),
  attendance: Type.Optional(
    Type.Array(
      Type.Object({
        channelId: Type.String(),
        seq: Type.Integer({ minimum: 0 }),
        joins: Type.Integer({ minimum: 0, maximum: MAX_ATTENDANCE }),
        leaves: Type.Integer({ minimum: 0, maximum: MAX_ATTENDANCE }),
      }),
    ),
  ),
})
export type ViewerCounts = Static<typeof ViewerCounts>
