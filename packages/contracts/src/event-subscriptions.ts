import { AUDIT_STREAM, type EventType, OWNERS, type Owner, streamName, streamOf } from './events.ts'

/** The events and live subjects that one process publishes and receives. */
export interface EventSubscriptions {
  /** The owner whose events it publishes; null if none. */
  owner: Owner | null
  /** Events that it applies exactly once, with one durable JetStream consumer per stream. */
  consumes: readonly EventType[]
  /** Events that it receives over core NATS while connected. Events published while it is disconnected are missed. */
  subscribes: readonly EventType[]
  /** Live subjects that are never stored; NATS wildcards allowed. */
  livePublishes: readonly string[]
  liveSubscribes: readonly string[]
}

/** Role changes, revoked sessions and revoked keys. Every process except auth checks access tokens against them. */
const ACCESS: readonly EventType[] = [
  'auth.session.revoked.v1',
  'auth.role.changed.v1',
  'auth.key.revoked.v1',
]

const AUDIT = OWNERS.map((owner): EventType => `${owner}.audit.recorded.v1`)

/**
 * Publishers and subscribers of all events. NATS permissions (`infra/nats/users.conf`), streams and durable consumers are
 * generated from this table. A service that handles an event missing from its row does not start.
 */
export const EVENT_SUBSCRIPTIONS = {
  auth: { owner: 'auth', consumes: [], subscribes: [], livePublishes: [], liveSubscribes: [] },
  catalogue: {
    owner: 'catalogue',
    consumes: [
      'auth.user.deleted.v1',
      'auth.user.restricted.v1',
      'auth.user.unrestricted.v1',
      'stream.channel.deleted.v1',
      'stream.duration.learned.v1',
      'stream.video.quarantined.v1',
      'metadata.video.resolved.v1',
      'metadata.video.unavailable.v1',
      'metadata.queue.emptied.v1',
      'metadata.media.probed.v1',
      'metadata.playlist.read.v1',
      'metadata.playlist.failed.v1',
    ],
    subscribes: ACCESS,
    livePublishes: [],
    liveSubscribes: [],
  },
  'stream-scheduler': {
    owner: 'stream',
    consumes: [
      'catalogue.video.added.v1',
      'catalogue.video.updated.v1',
      'catalogue.video.removed.v1',
      'catalogue.videos.added.v1',
      'catalogue.videos.updated.v1',
      'catalogue.videos.removed.v1',
      'catalogue.airing.requested.v1',
    ],
    subscribes: [
      ...ACCESS,
      'stream.channel.created.v1',
      'stream.channel.updated.v1',
      'stream.channel.deleted.v1',
      'stream.timeline.changed.v1',
      'stream.timeline.extended.v1',
      'stream.status.changed.v1',
    ],
    livePublishes: [],
    liveSubscribes: [],
  },
  chat: {
    owner: 'chat',
    consumes: [
      'auth.user.registered.v1',
      'auth.user.deleted.v1',
      'auth.profile.updated.v1',
      'auth.user.restricted.v1',
      'auth.user.unrestricted.v1',
      'stream.channel.created.v1',
      'stream.channel.updated.v1',
      'stream.channel.deleted.v1',
    ],
    subscribes: ACCESS,
    livePublishes: [],
    liveSubscribes: [],
  },
  'admin-audit': {
    owner: 'admin',
    consumes: [...AUDIT, 'auth.user.deleted.v1'],
    subscribes: ACCESS,
    livePublishes: [],
    liveSubscribes: [],
  },
  'metadata-worker': {
    owner: 'metadata',
    consumes: [
      'catalogue.metadata.requested.v1',
      'catalogue.probe.requested.v1',
      'catalogue.playlist.requested.v1',
    ],
    subscribes: ACCESS,
    livePublishes: ['live.metadata.progress'],
    liveSubscribes: [],
  },
  gateway: {
    owner: null,
    consumes: [],
    subscribes: [
      ...ACCESS,
      'auth.user.restricted.v1',
      'auth.user.unrestricted.v1',
      'catalogue.video.added.v1',
      'catalogue.video.updated.v1',
      'catalogue.video.removed.v1',
      'catalogue.videos.added.v1',
      'catalogue.videos.updated.v1',
      'catalogue.videos.removed.v1',
      'catalogue.home.changed.v1',
      'catalogue.submission.changed.v1',
      'catalogue.submission.decided.v1',
      'stream.channel.created.v1',
      'stream.channel.updated.v1',
      'stream.channel.deleted.v1',
      'stream.timeline.changed.v1',
      'stream.timeline.extended.v1',
      'stream.programme.started.v1',
      'stream.status.changed.v1',
      'stream.video.quarantined.v1',
      'chat.message.posted.v1',
      'chat.messages.posted.v1',
      'chat.message.removed.v1',
      'chat.settings.changed.v1',
      'admin.theme.activated.v1',
      ...AUDIT,
    ],
    livePublishes: ['live.gateways.heartbeat', 'live.viewers.*', 'live.topics.>'],
    liveSubscribes: ['live.metadata.progress', 'live.gateways.heartbeat', 'live.viewers.*', 'live.topics.>'],
  },
} as const satisfies Record<string, EventSubscriptions>

export type EventService = keyof typeof EVENT_SUBSCRIPTIONS

/** A durable JetStream consumer: one per service and stream. */
export interface DurableConsumer {
  stream: string
  durable: string
  /** The only subject delivered; undefined: the whole stream. */
  filter: string | undefined
}

/** The name of a service's durable consumer of a stream. It does not depend on the event types consumed. */
export const durableName = (service: string, stream: string): string => `${service}--${stream.toLowerCase()}`

/**
 * The durable consumers that a service needs. The server filters a single event type. For several types of one stream it
 * delivers the whole stream, because NATS before 2.10 filters by one subject only; the service skips the other events.
 */
export function durablesFor(service: string, types: readonly EventType[]): DurableConsumer[] {
  return [...Map.groupBy(types, streamOf)].map(([stream, consumed]) => ({
    stream,
    durable: durableName(service, stream),
    filter: consumed.length === 1 ? consumed[0] : undefined,
  }))
}

/** The streams that a service publishes to. */
export const publishedStreams = (owner: Owner | null): string[] =>
  owner === null ? [] : [streamName(owner), AUDIT_STREAM]
