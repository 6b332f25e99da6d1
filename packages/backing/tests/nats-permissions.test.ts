import { OWNERS } from '@looptide/contracts/event'
import {
  durablesFor,
  EVENT_SUBSCRIPTIONS,
  type EventSubscriptions,
  publishedStreams,
} from '@looptide/contracts/event-subscriptions'
import { EVENT_TYPES, ownerOf, STREAMS, streamName } from '@looptide/contracts/events'
import { newId } from '@looptide/service-kit/db/ids'
import { connectNats } from '@looptide/service-kit/events/nats'
import { jetstream, jetstreamManager } from '@looptide/service-kit/events/nats-client'
import { publishEnvelope } from '@looptide/service-kit/events/publish-envelope'
import { streamsCheck } from '@looptide/service-kit/events/streams/streams-check'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { testKeys } from '@looptide/testkit/event-keys'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NatsUser, natsUsers, STREAM_ADMIN } from '../src/nats/nats-permissions.ts'
import { provisionOnce } from '../src/nats/provision-streams.ts'
import { type ServiceName, serviceNames } from '../src/service-names.ts'
import { Intruder, startNatsWithUsers } from './_nats-users.ts'

const LIVE = ['live.metadata.progress', 'live.gateways.heartbeat', 'live.viewers.x', 'live.topics.chat:x']
const logger = createLogger('test', 'silent')
const rowOf = (name: ServiceName): EventSubscriptions => EVENT_SUBSCRIPTIONS[name]
const allDurables = serviceNames.flatMap((name) => durablesFor(name, rowOf(name).consumes))

let server: Awaited<ReturnType<typeof startNatsWithUsers>>
const intruders = new Map<NatsUser, Intruder>()
const as = (user: NatsUser): Intruder => intruders.get(user)!

beforeAll(async () => {
  server = await startNatsWithUsers()
  await provisionOnce(server.urlFor(STREAM_ADMIN))
  for (const user of natsUsers) intruders.set(user, await Intruder.connect(server.urlFor(user)))
})
afterAll(async () => {
  for (const { nats } of intruders.values()) await nats.close()
  await server.stop()
})

/** Every JetStream API request about streams and consumers, for each stream. */
const ADMINISTRATION = STREAMS.flatMap((stream) => [
  ...[
    'CREATE',
    'UPDATE',
    'DELETE',
    'PURGE',
    'SNAPSHOT',
    'RESTORE',
    'MSG.GET',
    'MSG.DELETE',
    'LEADER.STEPDOWN',
  ].map((verb) => `$JS.API.STREAM.${verb}.${stream}`),
  `$JS.API.DIRECT.GET.${stream}`,
  `$JS.API.CONSUMER.CREATE.${stream}`,
  `$JS.API.CONSUMER.CREATE.${stream}.intruder`,
  `$JS.API.CONSUMER.CREATE.${stream}.intruder.${stream.toLowerCase()}.x`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.intruder`,
  `$JS.API.CONSUMER.LIST.${stream}`,
  `$JS.API.CONSUMER.NAMES.${stream}`,
])
const DELETIONS = allDurables.map(({ stream, durable }) => `$JS.API.CONSUMER.DELETE.${stream}.${durable}`)
const GENERAL = [
  '$JS.API.INFO',
  '$JS.API.STREAM.LIST',
  '$JS.API.STREAM.NAMES',
  '$SYS.REQ.SERVER.PING',
  '$JS.EVENT.x',
]

describe.each(serviceNames)('with the credentials of %s', (name) => {
  const { owner, consumes, subscribes, livePublishes, liveSubscribes } = rowOf(name)
  const own = durablesFor(name, consumes)
  const matches = (patterns: readonly string[], subject: string): boolean =>
    patterns.some((pattern) =>
      new RegExp(`^${pattern.replaceAll('.', '\\.').replace('*', '[^.]+').replace('>', '.+')}$`).test(
        subject,
      ),
    )

  it('only events of the own owner and its own live subjects can be published', async () => {
    const types = EVENT_TYPES.filter((type) => ownerOf(type) === owner)
    // Not published here: other tests count what is stored. `.x` is in no stream.
    const probes = EVENT_TYPES.filter((type) => !types.includes(type))
    expect(await as(name).canPublish(probes)).toEqual([])
    expect(await as(name).canPublish(OWNERS.map((of) => `${of}.probe.x`))).toEqual(
      owner === null ? [] : [`${owner}.probe.x`],
    )
    expect(await as(name).canPublish(LIVE)).toEqual(LIVE.filter((subject) => matches(livePublishes, subject)))
  })

  it('no stream or consumer can be administered, no message removed, and none read by number but of the own stream', async () => {
    const all = [...ADMINISTRATION, ...DELETIONS, ...GENERAL]
    // A relay reads what its own stream may have lost in a power cut, and the positions of its consumers.
    const rights =
      owner === null
        ? []
        : [
            `$JS.API.STREAM.MSG.GET.${streamName(owner)}`,
            ...publishedStreams(owner).map((stream) => `$JS.API.CONSUMER.LIST.${stream}`),
          ]
    expect(await as(name).canPublish(all)).toEqual(rights)
  })

  it('only own consumers can be read, pulled from and acknowledged', async () => {
    const of = (template: (stream: string, durable: string) => string) => (durables: typeof own) =>
      durables.map(({ stream, durable }) => template(stream, durable))
    for (const subjects of [
      of((stream, durable) => `$JS.API.CONSUMER.INFO.${stream}.${durable}`),
      of((stream, durable) => `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`),
      of((stream, durable) => `$JS.ACK.${stream}.${durable}.1.2.3.4.5`),
    ])
      expect(await as(name).canPublish(subjects(allDurables))).toEqual(subjects(own))
    const readable = new Set([...publishedStreams(owner), ...own.map(({ stream }) => stream)])
    expect(await as(name).canPublish(STREAMS.map((stream) => `$JS.API.STREAM.INFO.${stream}`))).toEqual(
      STREAMS.filter((stream) => readable.has(stream)).map((stream) => `$JS.API.STREAM.INFO.${stream}`),
    )
  })

  it('only the own inbox and the subjects it listens to can be heard', async () => {
    const inboxes = natsUsers.map((user) => `_INBOX.${user}.x`)
    expect(await as(name).canSubscribe(inboxes)).toEqual([`_INBOX.${name}.x`])
    expect(await as(name).canPublish(inboxes)).toEqual([])
    expect(await as(name).canSubscribe(EVENT_TYPES)).toEqual(
      EVENT_TYPES.filter((type) => subscribes.includes(type)),
    )
    expect(await as(name).canSubscribe(LIVE)).toEqual(
      LIVE.filter((subject) => matches(liveSubscribes, subject)),
    )
    const wide = ['>', '*', '*.*', '_INBOX.>', '_INBOX.*', '$JS.>', '$JS.ACK.>', '$SYS.>', 'live.>']
    expect(await as(name).canSubscribe([...wide, ...OWNERS.map((of) => `${of}.>`)])).toEqual([])
  })

  it('all that the service needs is allowed', async () => {
    const nats = await connectNats(server.urlFor(name), name, logger)
    await streamsCheck(nats, name, consumes).check()
    if (owner !== null) {
      for (const type of EVENT_TYPES.filter((of) => ownerOf(of) === owner)) {
        const envelope = {
          ...{ id: newId(), type, occurredAt: new Date().toISOString(), actorId: null, correlationId: null },
          ...{ aggregateId: 'x', aggregateVersion: 1, data: {} as never },
        }
        await publishEnvelope(jetstream(nats), testKeys(owner), envelope)
      }
    }
    for (const { stream, durable } of own) {
      const consumer = await jetstream(nats).consumers.get(stream, durable)
      const message = await consumer.next({ expires: 1000 })
      if (message !== null) expect(await message.ackAck()).toBe(true)
    }
    await nats.close()
  })
})

it('the stream administrator cannot delete messages or receive events', async () => {
  const admin = as(STREAM_ADMIN)
  const destructive = STREAMS.flatMap((stream) =>
    ['DELETE', 'PURGE', 'MSG.DELETE', 'SNAPSHOT', 'RESTORE'].map(
      (verb) => `$JS.API.STREAM.${verb}.${stream}`,
    ),
  )
  expect(await admin.canPublish([...destructive, ...LIVE, '_INBOX.auth.x'])).toEqual([])
  expect(await admin.canSubscribe(['>', ...EVENT_TYPES, ...LIVE, '_INBOX.auth.x'])).toEqual([])
})

it('after all attempts the streams and consumers are as they were created', async () => {
  const manager = await jetstreamManager(as(STREAM_ADMIN).nats)
  expect((await manager.streams.names().next()).sort()).toEqual([...STREAMS].sort())
  const found: string[] = []
  for (const stream of STREAMS)
    for await (const { stream_name, name } of manager.consumers.list(stream))
      found.push(`${stream_name} ${name}`)
  expect(found.sort()).toEqual(allDurables.map(({ stream, durable }) => `${stream} ${durable}`).sort())
})
