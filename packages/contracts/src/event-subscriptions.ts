import type { EventService, Owner } from './event.ts'
import { AUDIT_STREAM, EVENT_TYPES, EVENTS, type EventType, streamName, streamOf } from './events.ts'

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

/** What each process publishes, besides what the definitions of its events say. */
const PROCESSES = {
  auth: { owner: 'auth' },
  catalogue: { owner: 'catalogue' },
  'stream-scheduler': { owner: 'stream', liveSubscribes: ['live.viewers.*'] },
  chat: { owner: 'chat' },
  audience: { owner: 'audience', liveSubscribes: ['live.viewers.*', 'live.reactions.*'] },
  'admin-audit': { owner: 'admin' },
  'metadata-worker': { owner: 'metadata', livePublishes: ['live.metadata.progress'] },
  gateway: {
    owner: null,
    livePublishes: ['live.gateways.heartbeat', 'live.viewers.*', 'live.reactions.*', 'live.topics.>'],
    liveSubscribes: [
      'live.metadata.progress',
      'live.gateways.heartbeat',
      'live.viewers.*',
      'live.reactions.*',
      'live.topics.>',
    ],
  },
} as const satisfies Record<EventService, Pick<EventSubscriptions, 'owner'> & Partial<EventSubscriptions>>

const eventsWith = (kind: 'consumers' | 'listeners', service: EventService): EventType[] =>
  EVENT_TYPES.filter((type) => EVENTS[type][kind].includes(service))

/**
 * Publishers and subscribers of all events, from their definitions. NATS permissions (`infra/nats/users.conf`), streams
 * and durable consumers are generated from this table. A service starts only if it handles exactly the events that it
 * consumes.
 */
export const EVENT_SUBSCRIPTIONS = Object.fromEntries(
  (Object.keys(PROCESSES) as EventService[]).map((service): [EventService, EventSubscriptions] => [
    service,
    {
      livePublishes: [],
      liveSubscribes: [],
      ...PROCESSES[service],
      consumes: eventsWith('consumers', service),
      subscribes: eventsWith('listeners', service),
    },
  ]),
) as { readonly [S in EventService]: EventSubscriptions & Pick<(typeof PROCESSES)[S], 'owner'> }

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
