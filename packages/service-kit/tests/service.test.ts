import type { Envelope } from '@looptide/contracts/events'
import { operation } from '@looptide/contracts/operation'
import { Line } from '@looptide/contracts/text-fields'
import type { Backing } from '@looptide/testkit/backing'
import { announceEvent, eventKeyEnv } from '@looptide/testkit/event-keys'
import { startIdentity, type TestIdentity, type TestUser } from '@looptide/testkit/identity'
import { startNats } from '@looptide/testkit/nats'
import { contentsOf } from '@looptide/testkit/stream-contents'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectNats } from '../src/events/nats.ts'
import { jetstreamManager, type NatsConnection } from '../src/events/nats-client.ts'
import { appendEvent } from '../src/events/outbox.ts'
import { AppError } from '../src/http/errors.ts'
import { callInternal } from '../src/identity/internal.ts'
import { databaseService } from '../src/process/database-service.ts'
import type { RunningService } from '../src/process/service-process.ts'
import { startProcess } from '../src/process/start-process.ts'
import { route } from '../src/routes/route.ts'
import { EnvReader, readCommon, readDatabase } from '../src/settings/env.ts'
import { channelDeleted, logger, type NotesDb, notesDatabase, provisionFor } from './fixtures.ts'

let backing: Backing
let nats: NatsConnection
let identity: TestIdentity
let database: Awaited<ReturnType<typeof notesDatabase>>
let service: RunningService
let requestReleased: PromiseWithResolvers<void>
let requestStarted: PromiseWithResolvers<void>
let handlerFails = false
let users: { user: TestUser; moderator: TestUser; admin: TestUser }
const order: string[] = []

beforeAll(async () => {
  ;[backing, identity] = await Promise.all([startNats(), startIdentity()])
  nats = await connectNats(backing.url, 'test', logger)
  users = {
    user: await identity.createUser(),
    moderator: await identity.createUser('moderator'),
    admin: await identity.createUser('admin'),
  }
})
afterAll(async () => {
  await nats.close()
  await Promise.all([backing.stop(), identity.stop()])
})
beforeEach(async () => {
  database = await notesDatabase()
  requestReleased = Promise.withResolvers()
  requestStarted = Promise.withResolvers()
  handlerFails = false
  order.length = 0
  await provisionFor(nats, ['stream.channel.deleted.v1'], 'stream-notes')
  service = await start()
  await identity.knownAt(service.url)
})
afterEach(async () => {
  await service.close()
  await database.drop()
  const manager = await jetstreamManager(nats)
  await Promise.all(['STREAM', 'AUDIT'].map((stream) => manager.streams.purge(stream)))
})

const described = { summary: 'A test', token: 'session-only' } as const
const output = { 200: Type.Object({}, { additionalProperties: true }) }
const operations = {
  open: operation({ ...described, name: 'notes.open', call: 'GET /open', audience: 'anyone', output }),
  slow: operation({ ...described, name: 'notes.slow', call: 'GET /slow', audience: 'anyone', output }),
  publish: operation({
    ...described,
    name: 'notes.publish',
    call: 'POST /publish',
    audience: 'anyone',
    output,
  }),
  user: operation({ ...described, name: 'notes.user', call: 'GET /user', audience: 'user', output }),
  moderator: operation({
    ...described,
    name: 'notes.moderator',
    call: 'GET /moderator',
    audience: 'chat:moderate',
    output,
  }),
  admin: operation({
    ...described,
    name: 'notes.admin',
    call: 'GET /admin',
    audience: 'users:manage',
    output,
  }),
  write: operation({
    ...described,
    name: 'notes.write',
    call: 'POST /admin',
    audience: 'users:manage',
    input: { body: Type.Object({ name: Line() }) },
    output,
  }),
  internal: operation({
    ...described,
    name: 'notes.internal',
    call: 'GET /internal/thing',
    audience: 'internal',
    output,
  }),
}

function start(): Promise<RunningService> {
  const reader = new EnvReader({
    PORT: '0',
    LOG_LEVEL: 'silent',
    NATS_URL: backing.url,
    AUTH_URL: identity.authUrl,
    INTERNAL_TOKEN: identity.internalToken,
    ...eventKeyEnv('stream-scheduler'),
    DATABASE_URL: database.url,
    // No server listens on this port: the guard is unreachable.
    ADMIN_AUDIT_URL: 'http://127.0.0.1:9',
  })
  const definition = databaseService<NotesDb>({
    name: 'stream-notes',
    operations,
    config: {
      ...readCommon(reader, 0),
      ...readDatabase(reader),
      internalTokensAccepted: [identity.internalToken, 'the previous token'],
    },
    tables: {},
    build: ({ db }) => ({
      routes: [
        route(operations.open, ({ user }) => ({ role: user?.role ?? null })),
        route(operations.slow, async () => {
          requestStarted.resolve()
          await requestReleased.promise
          return { done: true }
        }),
        route(operations.publish, async () => {
          await db
            .transaction()
            .execute((trx) => appendEvent(trx, 'stream.channel.deleted.v1', 'n', { channelId: 'n' }))
          return {}
        }),
        route(operations.user, () => ({})),
        route(operations.moderator, () => ({})),
        route(operations.admin, () => ({})),
        route(operations.write, () => ({})),
        route(operations.internal, () => ({ thing: 1 })),
      ],
      handlers: {
        'stream.channel.deleted.v1': async (trx, { data, aggregateVersion }) => {
          if (handlerFails) throw new Error('cannot')
          await trx.insertInto('steps').values({ note: data.channelId, version: aggregateVersion }).execute()
        },
      },
      background: [{ start: () => void order.push('started'), stop: () => void order.push('stopped') }],
    }),
  })
  return startProcess(definition)
}

const get = async (path: string, user: TestUser | null = null, method = 'GET') => {
  const response = await fetch(`${service.url}${path}`, { method, headers: { ...user?.headers } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('a client', () => {
  it('is identified by its token, and its role by the access list', async () => {
    expect((await get('/open')).body).toEqual({ role: null })
    expect((await get('/open', users.user)).body).toEqual({ role: 'user' })
    expect((await get('/open', users.moderator)).body).toEqual({ role: 'moderator' })
  })

  it('may use the routes that its role allows', async () => {
    const statuses = async (path: string): Promise<number[]> =>
      Promise.all(
        [null, users.user, users.moderator, users.admin].map(async (p) => (await get(path, p)).status),
      )
    expect(await statuses('/user')).toEqual([401, 200, 200, 200])
    expect(await statuses('/moderator')).toEqual([401, 403, 200, 200])
    expect(await statuses('/admin')).toEqual([401, 403, 403, 200])
  })

  it('without the permission is refused before the body is read', async () => {
    const send = async (user: TestUser | null, body: string) => {
      const headers = { ...user?.headers, 'content-type': 'application/json' }
      const response = await fetch(`${service.url}/admin`, { method: 'POST', headers, body })
      await response.body?.cancel()
      return response.status
    }
    for (const body of ['{', '{"name":1}', ' '.repeat(300_000)]) {
      expect([await send(null, body), await send(users.user, body)]).toEqual([401, 403])
    }
    expect(await send(users.admin, '{"name":1}')).toBe(400)
  })

  it('is refused with an invalid token, even by a route that needs none', async () => {
    const withInvalidToken = { ...users.user, headers: { authorization: 'Bearer x.y.z' } }
    expect((await get('/open', withInvalidToken)).status).toBe(401)
  })

  it('with a token receives answers that are not cached; the route decides for visitors', async () => {
    const cacheControl = async (headers: Record<string, string>) =>
      (await fetch(`${service.url}/open`, { headers })).headers.get('cache-control')
    expect(await cacheControl({ ...users.user.headers })).toBe('no-store')
    expect(await cacheControl({})).toBeNull()
  })

  it('is refused as soon as the session is revoked', async () => {
    const user = await identity.createUser()
    expect((await get('/user', user)).status).toBe(200)
    const envelope: Envelope<'auth.session.revoked.v1'> = {
      ...channelDeleted('x'),
      type: 'auth.session.revoked.v1',
      data: { userId: user.id, sessionIds: [user.sessionId], untilMs: Date.now() + 60_000 },
    }
    announceEvent(nats, envelope)
    await until('the session is refused', async () => (await get('/user', user)).status === 401)
  })
})

describe('internal routes', () => {
  it('answer only requests with an accepted token', async () => {
    expect((await get('/internal/thing', users.admin)).status).toBe(404)
    const { internalToken } = identity
    expect(await callInternal(`${service.url}/internal/thing`, 'It', { internalToken })).toEqual({ thing: 1 })
    const withPreviousToken = callInternal(`${service.url}/internal/thing`, 'It', {
      internalToken: 'the previous token',
    })
    await expect(withPreviousToken).resolves.toBeTruthy()
    const withWrongToken = callInternal(`${service.url}/internal/thing`, 'It', { internalToken: 'wrong' })
    await expect(withWrongToken).rejects.toMatchObject({ code: 'not_found' })
    const withUnreachableService = callInternal('http://127.0.0.1:9/x', 'It', { internalToken })
    await expect(withUnreachableService).rejects.toBeInstanceOf(AppError)
    await expect(withUnreachableService).rejects.toMatchObject({ code: 'service_unavailable' })
  })
})

describe('health', () => {
  it('reports liveness, readiness, metrics and the API', async () => {
    expect((await get('/livez')).body).toEqual({ alive: true })
    await until('all checks are ok', async () => {
      const { body } = await get('/readyz')
      return (body.checks as { ok: boolean }[]).every((check) => check.ok)
    })
    expect((await get('/readyz')).status).toBe(200)
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(metrics).toContain('looptide_outbox_backlog')
    expect((await get('/openapi.json')).body).toHaveProperty('openapi')
  })
})

describe('a stalled outbox', () => {
  /** Gives the lease to a holder that publishes nothing, and ages the event in the outbox by 20 s. */
  const stall = async (): Promise<void> => {
    await sql`insert into leases (name, holder, expires_at) values ('outbox', gen_random_uuid(), 'infinity')
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at`.execute(
      database.db,
    )
    await fetch(`${service.url}/publish`, { method: 'POST' })
    await sql`update outbox set written_at = written_at - interval '20 s'`.execute(database.db)
  }
  const outbox = async () => {
    const checks = (await get('/readyz')).body.checks as { name: string; ok: boolean; detail?: string }[]
    return checks.find(({ name }) => name === 'outbox')
  }

  it('is reported by the readiness check and the metrics until the events are published', async () => {
    expect(await outbox()).toEqual({ name: 'outbox', ok: true })
    await stall()
    expect(await outbox()).toMatchObject({ ok: false, detail: expect.stringContaining('outbox stalled') })
    expect((await get('/readyz')).status).toBe(200)
    const oldestSeconds = /^looptide_outbox_oldest_seconds\{.*\} ([\d.]+)$/m
    const metrics = await (await fetch(`${service.url}/metrics`)).text()
    expect(Number(oldestSeconds.exec(metrics)?.[1])).toBeGreaterThan(20)
    expect(metrics).toMatch(/^looptide_outbox_backlog\{.*\} 1$/m)
    await sql`update leases set expires_at = now()`.execute(database.db)
    await until('the outbox check is ok again', async () => (await outbox())?.ok === true)
  })
})

describe('dead letters', () => {
  it('are listed and dropped by admins only; a replay asks the guard', async () => {
    handlerFails = true
    const poison = channelDeleted('poison')
    // Inserted as a dead letter: the delays of five tries would make this test slow.
    await database.db
      .insertInto('deadLetters')
      .values({
        consumer: 'stream-notes--stream',
        subject: poison.type,
        eventId: poison.id,
        envelope: JSON.stringify(poison),
        error: 'cannot',
        replayedAt: null,
      })
      .execute()
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^looptide_dead_letters\{.*\} 1$/m)
    const path = '/api/dead-letters/stream-notes'
    expect((await get(path)).status).toBe(401)
    expect((await get(path, users.moderator)).status).toBe(403)
    const { body } = await get(path, users.admin)
    expect(body.items).toMatchObject([
      { consumer: 'stream-notes--stream', envelope: poison, replayedAt: null },
    ])
    expect((await get(`${path}?cursor=x`, users.admin)).status).toBe(400)
    expect((await get(`${path}/1/replay`, users.admin, 'POST')).status).toBe(503)
    expect((await get(`${path}/99999999999999999999/replay`, users.admin, 'POST')).status).toBe(400)
    const drop = async (user: TestUser | null) =>
      (await fetch(`${service.url}${path}/1`, { method: 'DELETE', headers: { ...user?.headers } })).status
    expect(await drop(null)).toBe(401)
    expect(await drop(users.moderator)).toBe(403)
    expect(await drop(users.admin)).toBe(204)
    expect(await drop(users.admin)).toBe(404)
    expect((await get(path, users.admin)).body.items).toEqual([])
    await service.processAll()
    const audits = (await contentsOf(nats, 'AUDIT')).filter(({ type }) => type === 'stream.audit.recorded.v1')
    expect(audits).toMatchObject([
      {
        actorId: users.admin.id,
        data: {
          action: 'dead_letter.drop',
          targetId: '1',
          before: { eventId: poison.id, error: 'cannot' },
        },
      },
    ])
  })
})

describe('shutting down', () => {
  it('answers running requests, then stops background tasks, and keeps its events', async () => {
    const { url } = service
    const slow = fetch(`${url}/slow`).then(async (response) => [response.status, await response.json()])
    await requestStarted.promise
    await fetch(`${url}/publish`, { method: 'POST' })
    const closing = service.close()
    expect(order).toEqual(['started'])
    requestReleased.resolve()
    expect(await slow).toEqual([200, { done: true }])
    await closing
    expect(order).toEqual(['started', 'stopped'])
    await expect(fetch(`${url}/livez`)).rejects.toThrow()
    service = await start()
    await service.processAll()
    const steps = await database.db.selectFrom('steps').select('note').execute()
    expect(steps).toEqual([{ note: 'n' }])
  })
})
