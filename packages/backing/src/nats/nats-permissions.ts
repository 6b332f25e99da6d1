import { OWNERS } from '@looptide/contracts/event'
import {
  durablesFor,
  EVENT_SUBSCRIPTIONS,
  type EventSubscriptions,
  publishedStreams,
} from '@looptide/contracts/event-subscriptions'
import { AUDIT_STREAM, streamName } from '@looptide/contracts/events'
import { type ServiceName, serviceNames } from '../service-names.ts'

/**
 * NATS user that creates streams and durable consumers, and with which the operator command reads and restores
 * events.
 */
export const STREAM_ADMIN = 'stream-admin'

/** Every NATS user: one per service, and the stream administrator. */
export const natsUsers = [...serviceNames, STREAM_ADMIN] as const
export type NatsUser = (typeof natsUsers)[number]

/** Subjects that a user may publish to and subscribe to. NATS refuses all others. */
export interface NatsPermissions {
  publish: string[]
  subscribe: string[]
}

/** Prefix of the subjects of replies (`connectNats`): no user can read the replies of another. */
const inbox = (user: NatsUser): string => `_INBOX.${user}.>`

/** What each service publishes and receives. */
export type Subscriptions = Readonly<Record<ServiceName, EventSubscriptions>>

/** What a NATS user may publish and subscribe to. */
export const permissionsOf = (
  user: NatsUser,
  subscriptions: Subscriptions = EVENT_SUBSCRIPTIONS,
): NatsPermissions => (user === STREAM_ADMIN ? streamAdmin() : service(user, subscriptions))

/** No permission to delete or purge a stream or a message: stored events stay until they expire. */
function streamAdmin(): NatsPermissions {
  return {
    publish: [
      ...OWNERS.map((owner) => `${owner}.>`),
      '$JS.API.INFO',
      '$JS.API.STREAM.NAMES',
      '$JS.API.STREAM.LIST',
      '$JS.API.STREAM.INFO.*',
      '$JS.API.STREAM.CREATE.*',
      '$JS.API.STREAM.UPDATE.*',
      '$JS.API.STREAM.MSG.GET.*',
      '$JS.API.CONSUMER.NAMES.*',
      '$JS.API.CONSUMER.LIST.*',
      '$JS.API.CONSUMER.INFO.*.*',
      '$JS.API.CONSUMER.CREATE.>',
      '$JS.API.CONSUMER.DURABLE.CREATE.*.*',
      '$JS.API.CONSUMER.DELETE.*.*',
    ],
    subscribe: [inbox(STREAM_ADMIN)],
  }
}

/**
 * A relay checks what its own stream lost in a power cut (`StreamRecovery`), and the positions of the consumers of its
 * own stream and of the audit stream.
 */
const tailRights = (stream: string): string[] => [
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.CONSUMER.LIST.${stream}`,
  `$JS.API.CONSUMER.LIST.${AUDIT_STREAM}`,
]

function service(name: ServiceName, subscriptions: Subscriptions): NatsPermissions {
  const { owner, consumes, subscribes, livePublishes, liveSubscribes } = subscriptions[name]
  const durables = durablesFor(name, consumes)
  const streams = new Set([...publishedStreams(owner), ...durables.map(({ stream }) => stream)])
  return {
    publish: [
      ...(owner === null ? [] : [`${owner}.>`]),
      ...livePublishes,
      ...[...streams].map((stream) => `$JS.API.STREAM.INFO.${stream}`),
      ...(owner === null ? [] : tailRights(streamName(owner))),
      ...durables.flatMap(({ stream, durable }) => [
        `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
        `$JS.ACK.${stream}.${durable}.>`,
      ]),
    ],
    subscribe: [inbox(name), ...subscribes, ...liveSubscribes],
  }
}
