import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Envelope } from '@looptide/contracts/events'
import { newId } from '@looptide/service-kit/db/ids'
import { connectNats } from '@looptide/service-kit/events/nats'
import {
  AckPolicy,
  jetstream,
  jetstreamManager,
  type NatsConnection,
} from '@looptide/service-kit/events/nats-client'
import { publishEnvelope } from '@looptide/service-kit/events/publish-envelope'
import { LiveAccessList } from '@looptide/service-kit/identity/access-list'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { createMetrics } from '@looptide/service-kit/telemetry/metrics'
import { signEvent, testKeys } from '@looptide/testkit/event-keys'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { STREAM_ADMIN } from '../src/nats/nats-permissions.ts'
import { provisionOnce } from '../src/nats/provision-streams.ts'
import { Intruder, startNatsWithUsers } from './_nats-users.ts'

// A compromised service tries to make an account an admin: the access list of every other process listens
// to `auth.role.changed.v1`.

const logger = createLogger('test', 'silent')
const metrics = createMetrics('test')
let server: Awaited<ReturnType<typeof startNatsWithUsers>>
let auth: Server
let access: LiveAccessList
let listener: NatsConnection
let authNats: NatsConnection
let worker: Intruder

const roleChanged = (userId: string, role: 'admin' | 'moderator'): Envelope<'auth.role.changed.v1'> => ({
  ...{ id: newId(), type: 'auth.role.changed.v1', occurredAt: new Date().toISOString() },
  ...{ actorId: null, correlationId: null, aggregateId: userId, aggregateVersion: 1 },
  data: { userId, role },
})

beforeAll(async () => {
  server = await startNatsWithUsers()
  await provisionOnce(server.urlFor(STREAM_ADMIN))
  auth = createServer((_request, response) => response.end('{"revokedSessions":[],"roles":[]}'))
  await new Promise<void>((resolve) => auth.listen(0, '127.0.0.1', resolve))
  listener = await connectNats(server.urlFor('chat'), 'chat', logger)
  authNats = await connectNats(server.urlFor('auth'), 'auth', logger)
  access = new LiveAccessList({
    authUrl: `http://127.0.0.1:${(auth.address() as AddressInfo).port}`,
    ...{ internalToken: 'x', nats: listener, keys: testKeys(null), logger, metrics },
  })
  access.start()
  await listener.flush()
  worker = await Intruder.connect(server.urlFor('metadata-worker'))
})
afterAll(async () => {
  access.stop()
  await Promise.all([listener.close(), authNats.close(), worker.nats.close()])
  await server.stop()
  await new Promise((resolve) => auth.close(resolve))
})

const rejected = async (reason: string): Promise<number> => {
  const { values } = await metrics.eventsRejected.get()
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0
}

/** Waits until an event of auth is applied: everything published before it has then been processed. */
async function promoteSomebody(): Promise<string> {
  const userId = randomUUID()
  await publishEnvelope(jetstream(authNats), testKeys('auth'), roleChanged(userId, 'moderator'))
  await until('a genuine event is applied', () => access.roleOf(userId) === 'moderator')
  return userId
}

it('the worker can neither publish a role change nor make JetStream deliver one', async () => {
  const victim = randomUUID()
  const { subject, payload, headers } = signEvent(roleChanged(victim, 'admin'), testKeys('metadata'))
  worker.nats.publish(subject, payload, { headers })
  expect(await worker.canPublish([subject])).toEqual([])
  const manager = await jetstreamManager(worker.nats, { checkAPI: false, timeout: 1000 })
  const push = { durable_name: 'x', deliver_subject: subject, ack_policy: AckPolicy.None }
  await expect(manager.consumers.add('METADATA', push)).rejects.toThrow()
  await promoteSomebody()
  expect(access.roleOf(victim)).toBe('user')
})

it('an event that JetStream delivers to another subject changes nothing, even where a consumer could be made', async () => {
  const victim = randomUUID()
  const admin = await connectNats(server.urlFor(STREAM_ADMIN), STREAM_ADMIN, logger)
  const manager = await jetstreamManager(admin)
  const push = { durable_name: 'push', deliver_subject: 'auth.role.changed.v1', ack_policy: AckPolicy.None }
  await manager.consumers.add('METADATA', push)
  const before = await rejected('stored_copy')
  const payload = Buffer.from(JSON.stringify(roleChanged(victim, 'admin')))
  const { headers } = signEvent(roleChanged(victim, 'admin'), testKeys('metadata'))
  headers.set('Looptide-Signature', testKeys('metadata').sign('metadata.video.resolved.v1', payload))
  await jetstream(worker.nats).publish('metadata.video.resolved.v1', payload, { headers })
  await until('it was delivered and rejected', async () => (await rejected('stored_copy')) > before)
  await manager.consumers.delete('METADATA', 'push')
  await admin.close()
  expect(access.roleOf(victim)).toBe('user')
})

it('a genuine event that is pulled again and delivered to the listeners is not applied again', async () => {
  const person = await promoteSomebody()
  access.apply(roleChanged(person, 'admin'))
  expect(access.roleOf(person)).toBe('admin')
  const before = await rejected('stored_copy')
  // The chat service may pull from its own consumer; NATS does not check where the reply goes.
  const pull = '$JS.API.CONSUMER.MSG.NEXT.AUTH.chat--auth'
  listener.publish(pull, '{"batch":1,"no_wait":true}', { reply: 'auth.role.changed.v1' })
  await until('it was delivered and rejected', async () => (await rejected('stored_copy')) > before)
  expect(access.roleOf(person)).toBe('admin')
})

it('an event that auth publishes without its signature, or with another owner’s, is rejected', async () => {
  const victim = randomUUID()
  for (const reason of ['unsigned', 'unknown_key', 'bad_signature']) {
    const { subject, payload, headers } = signEvent(
      roleChanged(victim, 'admin'),
      testKeys(reason === 'unknown_key' ? 'chat' : 'auth'),
    )
    if (reason === 'unsigned') headers.delete('Looptide-Signature')
    const body = reason === 'bad_signature' ? Buffer.from(`${payload} `) : payload
    const before = await rejected(reason)
    authNats.publish(subject, body, { headers })
    await until(`${reason} is counted`, async () => (await rejected(reason)) === before + 1)
  }
  expect(access.roleOf(victim)).toBe('user')
})

it('an event that is signed for one subject is rejected on another', async () => {
  const victim = randomUUID()
  const payload = Buffer.from(JSON.stringify(roleChanged(victim, 'admin')))
  const { headers } = signEvent(roleChanged(victim, 'admin'))
  const before = await rejected('bad_signature')
  authNats.publish('auth.session.revoked.v1', payload, { headers })
  await until('the signature is wrong there', async () => (await rejected('bad_signature')) > before)
  headers.set('Looptide-Signature', testKeys('auth').sign('auth.session.revoked.v1', payload))
  authNats.publish('auth.session.revoked.v1', payload, { headers })
  await until('the type is wrong there', async () => (await rejected('wrong_subject')) === 1)
  expect(access.roleOf(victim)).toBe('user')
})
