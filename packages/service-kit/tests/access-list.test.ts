import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import type { AccessSnapshot } from '@looptide/contracts/http/users'
import type { Backing } from '@looptide/testkit/backing'
import { storeEvent, testKeys } from '@looptide/testkit/event-keys'
import { startNats } from '@looptide/testkit/nats'
import { until } from '@looptide/testkit/until'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { newId } from '../src/db/ids.ts'
import { connectNats } from '../src/events/nats.ts'
import type { NatsConnection } from '../src/events/nats-client.ts'
import { type AccessChange, LiveAccessList, roleOfSession } from '../src/identity/access-list.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { logger } from './fixtures.ts'

let backing: Backing
let nats: NatsConnection
let auth: Server
let snapshot: AccessSnapshot
/** Status of the responses of auth. */
let answerStatus: () => Promise<number>
let list: LiveAccessList
let changes: AccessChange[]
let nowMs = 0

beforeAll(async () => {
  backing = await startNats()
  nats = await connectNats(backing.url, 'test', logger)
})
afterAll(async () => {
  await nats.close()
  await backing.stop()
})
beforeEach(async () => {
  snapshot = { revokedSessions: [], roles: [] }
  answerStatus = async () => 200
  nowMs = 1_000_000
  changes = []
  auth = createServer((_request, response) => {
    const body = JSON.stringify(snapshot)
    void answerStatus().then((status) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
  })
  await new Promise<void>((resolve) => auth.listen(0, '127.0.0.1', resolve))
  list = new LiveAccessList({
    authUrl: `http://127.0.0.1:${(auth.address() as AddressInfo).port}`,
    internalToken: 'x',
    nats,
    keys: testKeys(null),
    metrics: createMetrics('test'),
    logger,
    now: () => nowMs,
  })
  list.onChange((change) => changes.push(change))
})
afterEach(async () => {
  list.stop()
  auth.closeAllConnections()
  await new Promise((resolve) => auth.close(resolve))
})

async function publish<T extends EventType>(type: T, data: EventData<T>): Promise<void> {
  const envelope: Envelope<T> = {
    id: newId(),
    type,
    occurredAt: new Date().toISOString(),
    actorId: null,
    correlationId: null,
    aggregateId: 'a',
    aggregateVersion: 1,
    data,
  }
  await storeEvent(nats, envelope as Envelope)
}

const loaded = () => until('the list is loaded', () => list.loaded)

it('loads revoked sessions and roles from auth at the start', async () => {
  const [session, userId] = [randomUUID(), randomUUID()]
  snapshot = {
    revokedSessions: [{ id: session, untilMs: nowMs + 1000 }],
    roles: [{ userId, role: 'moderator' }],
  }
  list.start()
  await loaded()
  expect(list.isRevoked({ sessionId: session, generation: 1 })).toBe(true)
  expect(list.roleOf(userId)).toBe('moderator')
  expect(list.roleOf(randomUUID())).toBe('user')
})

it('applies a staff role without a second factor only if staff need none, and never on a paired device', async () => {
  const userId = randomUUID()
  const roles = [{ userId, role: 'admin' as const }]
  snapshot = { revokedSessions: [], roles }
  await list.reload()
  const roleAt = (aal: 'aal1' | 'aal2', isDevice = false) => roleOfSession(list, { userId, aal, isDevice })
  expect(roleAt('aal1')).toEqual({ role: 'admin', lacksFactor: false })
  expect(roleAt('aal1', true)).toEqual({ role: 'user', lacksFactor: false })
  snapshot = { revokedSessions: [], roles, staffNeedsFactor: true }
  await list.reload()
  expect(roleAt('aal1')).toEqual({ role: 'user', lacksFactor: true })
  expect(roleAt('aal2')).toEqual({ role: 'admin', lacksFactor: false })
})

it('applies events of revoked sessions and changed roles, and notifies listeners', async () => {
  list.start()
  await loaded()
  const [userId, session] = [randomUUID(), randomUUID()]
  await publish('auth.role.changed.v1', { userId, role: 'admin' })
  await publish('auth.session.revoked.v1', { userId, sessionIds: [session], untilMs: nowMs + 1000 })
  await until('the session is revoked', () => list.isRevoked({ sessionId: session, generation: 1 }))
  expect(list.roleOf(userId)).toBe('admin')
  expect(changes).toEqual([
    { kind: 'role', userId, role: 'admin' },
    { kind: 'revoked', userId, sessionIds: [session] },
  ])
})

it('refuses tokens below the generation of their session, which is never lowered', async () => {
  const [userId, session] = [randomUUID(), randomUUID()]
  const untilMs = nowMs + 1000
  snapshot.outdatedSessions = [{ id: session, minGeneration: 3, untilMs }]
  list.start()
  await loaded()
  const isRefused = (generation: number) => list.isRevoked({ sessionId: session, generation })
  expect([isRefused(2), isRefused(3)]).toEqual([true, false])
  const raise = (minGeneration: number) =>
    publish('auth.session.revoked.v1', {
      userId,
      sessionIds: [],
      untilMs,
      outdated: [{ id: session, minGeneration }],
    })
  await raise(2)
  await raise(5)
  await until('the session has newer tokens', () => isRefused(4))
  expect(isRefused(5)).toBe(false)
  expect(changes).toEqual([
    { kind: 'outdated', sessions: [{ id: session, minGeneration: 3, untilMs }] },
    { kind: 'outdated', sessions: [{ id: session, minGeneration: 5, untilMs }] },
  ])
  nowMs += 2000
  snapshot.outdatedSessions = []
  await list.reload()
  expect(isRefused(1)).toBe(false)
})

it('ignores an answer older than an event it has received', async () => {
  list.start()
  await loaded()
  const [promoted, demoted] = [randomUUID(), randomUUID()]
  snapshot.roles = [{ userId: demoted, role: 'admin' }]
  await list.reload()
  const status = Promise.withResolvers<number>()
  const requestStarted = Promise.withResolvers<void>()
  answerStatus = () => {
    requestStarted.resolve()
    return status.promise
  }
  const reloading = list.reload()
  await requestStarted.promise
  await publish('auth.role.changed.v1', { userId: promoted, role: 'admin' })
  await publish('auth.role.changed.v1', { userId: demoted, role: 'user' })
  await until(
    'both events are applied',
    () => list.roleOf(promoted) === 'admin' && list.roleOf(demoted) === 'user',
  )
  status.resolve(200)
  await reloading
  expect([list.roleOf(promoted), list.roleOf(demoted)]).toEqual(['admin', 'user'])
})

it('forgets a revoked session when its tokens have expired', async () => {
  const session = randomUUID()
  snapshot.revokedSessions = [{ id: session, untilMs: nowMs + 1000 }]
  list.start()
  await loaded()
  nowMs += 2000
  snapshot.revokedSessions = []
  await list.reload()
  expect(list.isRevoked({ sessionId: session, generation: 1 })).toBe(false)
})

it('keeps its entries while auth is down, and reports the missed changes when auth is back', async () => {
  const [userId, session] = [randomUUID(), randomUUID()]
  snapshot.roles = [{ userId, role: 'admin' }]
  list.start()
  await loaded()
  answerStatus = async () => 500
  await expect(list.reload()).rejects.toThrow('500')
  expect(list.roleOf(userId)).toBe('admin')
  changes = []
  answerStatus = async () => 200
  snapshot = { revokedSessions: [{ id: session, untilMs: nowMs + 1000 }], roles: [] }
  await list.reload()
  expect(list.roleOf(userId)).toBe('user')
  expect(list.isRevoked({ sessionId: session, generation: 1 })).toBe(true)
  expect(changes).toEqual([
    { kind: 'revoked', userId: '', sessionIds: [session] },
    { kind: 'role', userId, role: 'user' },
  ])
})

it('is not loaded until auth has answered, and repeats the request until then', async () => {
  answerStatus = async () => 503
  list.start()
  await expect(list.reload()).rejects.toThrow('503')
  expect(list.loaded).toBe(false)
  answerStatus = async () => 200
  await loaded()
})

it('reloads as soon as NATS is back, because events may have been missed', async () => {
  list.start()
  await loaded()
  const session = randomUUID()
  backing.kill()
  snapshot.revokedSessions = [{ id: session, untilMs: nowMs + 1000 }]
  await backing.restart()
  await until('the list is reloaded', () => list.isRevoked({ sessionId: session, generation: 1 }))
})

it('ignores an incomplete event', async () => {
  list.start()
  await loaded()
  nats.publish('auth.role.changed.v1', '{"id":1}')
  const userId = randomUUID()
  await publish('auth.role.changed.v1', { userId, role: 'moderator' })
  await until('the valid event is applied', () => list.roleOf(userId) === 'moderator')
})
