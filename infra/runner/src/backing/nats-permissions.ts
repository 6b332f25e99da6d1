import {
  durablesFor,
  EVENT_SUBSCRIPTIONS,
  type EventSubscriptions,
  publishedStreams,
} from '@looptide/contracts/event-subscriptions'
import { AUDIT_STREAM, OWNERS, streamName } from '@looptide/contracts/events'
import { type ServiceName, serviceNames } from '../service-names.ts'

/** Creates streams and durable consumers, and is what the command line reads and restores events with. */
export const STREAM_ADMIN = 'stream-admin'

/** Every user of NATS: one per service, and the administrator of the streams. */
export const natsUsers = [...serviceNames, STREAM_ADMIN] as const
export type NatsUser = (typeof natsUsers)[number]

/** The subjects that a user may publish to and subscribe to. Everything else is refused by NATS. */
export interface NatsPermissions {
  publish: string[]
  subscribe: string[]
}

/** Replies arrive here (`connectNats`): no user can read the replies of another. */
const inbox = (user: NatsUser): string => `_INBOX.${user}.>`

export const permissionsOf = (user: NatsUser): NatsPermissions =>
  user === STREAM_ADMIN ? streamAdmin() : service(user)

/** No right to delete or purge a stream or a message of one: what is published stays for its time. */
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
 * A relay finds out what its own stream lost in a power cut (`StreamRecovery`), and how far the consumers of its own stream
 * and of the audit stream are.
 */
const tailRights = (stream: string): string[] => [
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.CONSUMER.LIST.${stream}`,
  `$JS.API.CONSUMER.LIST.${AUDIT_STREAM}`,
]

function service(name: ServiceName): NatsPermissions {
  const { owner, consumes, subscribes, livePublishes, liveSubscribes }: EventSubscriptions =
    EVENT_SUBSCRIPTIONS[name]
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
