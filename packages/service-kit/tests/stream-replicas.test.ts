import { testKeys } from '@looptide/testkit/event-keys'
import { type NatsCluster, startNatsCluster } from '@looptide/testkit/nats-cluster'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectNats } from '../src/events/nats.ts'
import {
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type NatsConnection,
} from '../src/events/nats-client.ts'
import { publishEnvelope } from '../src/events/publish-envelope.ts'
import { provisionStreams } from '../src/events/streams.ts'
import { channelDeleted, logger } from './fixtures.ts'

let cluster: NatsCluster
let nats: NatsConnection
let manager: JetStreamManager

beforeAll(async () => {
  cluster = await startNatsCluster()
  nats = await connectNats(cluster.urls[0] ?? '', 'test', logger)
  await until('the cluster accepts a stream', async () => {
    manager = await jetstreamManager(nats)
    await provisionStreams(manager)
    return true
  })
})

afterAll(async () => {
  await nats?.close()
  await cluster?.stop()
})

const replicas = async () => (await manager.streams.info('STREAM')).config.num_replicas

it('moves a stream to three servers, where it survives the loss of its leader', async () => {
  expect(await replicas()).toBe(1)
  const first = channelDeleted('first')
  await until('the stream has a leader', async () => {
    await publishEnvelope(jetstream(nats, { timeout: 1000 }), testKeys('stream'), first)
    return true
  })

  await until('three replicas are accepted', async () => {
    await provisionStreams(manager, { replicas: 3 })
    return true
  })
  expect(await replicas()).toBe(3)
  await until('both followers are up to date', async () => {
    const { cluster: state } = await manager.streams.info('STREAM')
    return state?.replicas?.length === 2 && state.replicas.every((peer) => peer.current)
  })
  // Provisioning without a replica count leaves it unchanged.
  await provisionStreams(manager)
  expect(await replicas()).toBe(3)

  const { cluster: state } = await manager.streams.info('STREAM')
  await cluster.kill(Number(state?.leader?.split('-')[1]))
  const second = channelDeleted('second')
  await until('the stream has a new leader', async () => {
    await publishEnvelope(jetstream(nats, { timeout: 1000 }), testKeys('stream'), second)
    return true
  })
  // The killed server may also have been the meta leader: no API request is answered until another is elected.
  const contents = await until('the cluster answers', () => contentsOf(nats, 'STREAM'))
  expect(contents).toMatchObject([{ id: first.id }, { id: second.id }])
})
