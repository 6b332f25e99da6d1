import { randomUUID } from 'node:crypto'
import type { RefusedAttempt } from '@looptide/contracts/http/admin'
import type { RunningService } from '@looptide/service-kit/process/service-process'
import type { TestUser } from '@looptide/testkit/identity'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkAdminActivity } from '../src/features/guard/admin-activity.ts'
import { GuardService } from '../src/features/guard/guard-service.ts'
import { RefusedAttempts } from '../src/features/guard/refused-attempts.ts'
import { type AuditHarness, callApi, logger, readLog, startAuditHarness } from './_harness.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let harness: AuditHarness
let first: RunningService
let second: RunningService
let admin: TestUser

beforeAll(async () => {
  harness = await startAuditHarness()
  admin = await harness.identity.createUser('admin')
  // The clock stands still: what is limited by the hour would be allowed again at the hour's end.
  const startedAtMs = Date.now()
  const now = () => startedAtMs
  first = await harness.serve({}, { now })
  second = await harness.serve({}, { now })
})
afterAll(() => harness.stop())

interface Refusal {
  code: string
  message: string
  retryAfterMs?: number
  remaining?: number
  details?: { path: string; message: string }[]
}

const guard = (userId: string | null, role = 'admin', url = first.url, action = 'user.role.admin') =>
  callApi<Refusal>(
    url,
    null,
    'POST',
    '/internal/guard',
    { userId, role, action, targetUserId: null, requestId: 'request-1' },
    { 'x-internal-token': harness.identity.internalToken },
  )

async function securityActions(userId: string): Promise<string[]> {
  await first.processAll()
  return (await readLog(first.url, admin, `?adminUserId=${userId}&security=true`)).map((line) => line.action)
}

describe('the guard', () => {
  it('refuses a visitor with 401', async () => {
    const { status, body } = await guard(null, 'user')
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'unauthorized', message: 'Please log in to perform this action' })
  })

  it('refuses users who are not admins, and records the attempt', async () => {
    const userId = randomUUID()
    for (const role of ['user', 'moderator', 'programmer']) {
      const { status, body } = await guard(userId, role)
      expect(status).toBe(403)
      expect(body).toMatchObject({
        code: 'forbidden',
        message: "You don't have permission to perform this action",
      })
    }
    await guard(userId, 'user', second.url, 'stream.reset.admin')
    expect(await securityActions(userId)).toEqual(Array(4).fill('security_unauthorized_admin_attempt'))
    const [line] = await readLog(first.url, admin, `?adminUserId=${userId}`)
    expect(line).toMatchObject({ details: { action: 'stream.reset.admin', role: 'user' } })
  })

  it('allows each role the actions that its permissions name, and no unknown one', async () => {
    const userId = randomUUID()
    expect((await guard(userId, 'moderator', first.url, 'stream.takeover.moderator')).status).toBe(200)
    expect((await guard(userId, 'user', first.url, 'stream.takeover.moderator')).status).toBe(403)
    expect((await guard(userId, 'programmer', first.url, 'stream.takeover.moderator')).status).toBe(403)
    expect((await guard(userId, 'programmer', first.url, 'video.delete.admin')).status).toBe(200)
    expect((await guard(userId, 'programmer', first.url, 'video.purge.admin')).status).toBe(403)
    expect((await guard(userId, 'curator', first.url, 'video.delete.admin')).status).toBe(403)
    expect((await guard(userId, 'admin', first.url, 'stream.moderator')).status).toBe(403)
    expect((await guard(userId, 'admin', first.url, 'constructor')).status).toBe(403)
  })

  it('allows ten actions in an hour across replicas, also concurrent ones, and records the eleventh', async () => {
    const userId = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => guard(userId, 'admin', i % 2 === 0 ? first.url : second.url)),
    )
    const allowed = answers.filter((answer) => answer.status === 200)
    expect(allowed.map((answer) => answer.body.remaining).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const blocked = answers.filter((answer) => answer.status === 429)
    expect(blocked).toHaveLength(20)
    expect(blocked[0]!.body).toMatchObject({
      code: 'admin_rate_limited',
      message: 'Too many admin actions. Please wait before trying again.',
    })
    expect(blocked[0]!.body.retryAfterMs).toBeGreaterThan(HOUR_MS - 60_000)
    expect(blocked[0]!.body.retryAfterMs).toBeLessThanOrEqual(HOUR_MS)
    expect(await securityActions(userId)).toEqual(['security_admin_rate_limit_exceeded'])
    expect((await guard(randomUUID())).status).toBe(200)
  })

  it('counts what can be undone separately, sixty in an hour, and says when the next action is allowed', async () => {
    const userId = randomUUID()
    const actions = ['user.site_ban.admin', 'video.delete.admin']
    for (let i = 0; i < 60; i += 1) {
      const { body } = await guard(userId, 'admin', first.url, actions[i % 2])
      expect([i, body.remaining]).toEqual([i, 59 - i])
    }
    const { status, headers, body } = await guard(userId, 'admin', second.url, 'video.delete.admin')
    expect([status, body.code]).toEqual([429, 'admin_rate_limited'])
    expect(Number(headers.get('retry-after'))).toBe(Math.ceil(body.retryAfterMs! / 1000))
    const details = new Map(body.details!.map(({ path, message }) => [path, message]))
    expect(details.get('/limitPerHour')).toBe('60')
    expect(Date.parse(details.get('/retryAt')!) - Date.now()).toBeGreaterThan(50 * 60_000)
    for (const remaining of [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
      expect((await guard(userId)).body.remaining).toBe(remaining)
    expect((await guard(userId, 'admin', first.url, 'video.purge.admin')).body.code).toBe(
      'admin_rate_limited',
    )
  })

  it('allows the next action when the first of the ten is an hour old', async () => {
    let nowMs = Date.now()
    const refusals = new RefusedAttempts({ db: harness.db, rateLimitFactor: 1 })
    const service = new GuardService({ db: harness.db, logger, refusals, now: () => nowMs })
    const body = { userId: randomUUID(), role: 'admin' as const, action: 'user.role.admin' }
    for (let i = 0; i < 10; i += 1) {
      await service.check(body)
      nowMs += 60_000
    }
    const refusal = await service.check(body).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'admin_rate_limited', retryAfterMs: HOUR_MS - 600_000 })
    nowMs += HOUR_MS - 600_000 - 1
    await expect(service.check(body)).rejects.toMatchObject({ retryAfterMs: 1 })
    nowMs += 1
    await expect(service.check(body)).resolves.toMatchObject({ allowed: true })
    await expect(service.check(body)).rejects.toMatchObject({ code: 'admin_rate_limited' })
  })

  it.each([0.001, 1000])(
    'allows ten an hour when rate limits are multiplied by %d',
    async (rateLimitFactor) => {
      const { url } = await harness.serve({ rateLimitFactor })
      const userId = randomUUID()
      for (const remaining of [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
        expect((await guard(userId, 'admin', url)).body.remaining).toBe(remaining)
      expect((await guard(userId, 'admin', url)).body.code).toBe('admin_rate_limited')
    },
  )

  it('refuses and records an error when its check fails', async () => {
    const userId = randomUUID()
    await sql`alter table guard_grants rename to guard_grants_renamed`.execute(harness.ownerDb)
    try {
      const { status, body } = await guard(userId)
      expect([status, body.code]).toEqual([503, 'service_unavailable'])
    } finally {
      await sql`alter table guard_grants_renamed rename to guard_grants`.execute(harness.ownerDb)
    }
    expect(await securityActions(userId)).toEqual(['security_permission_check_error'])
  })

  it('accepts valid requests with the internal token only', async () => {
    const body = { userId: randomUUID(), role: 'admin' as const, action: 'user.role.admin' }
    const withoutToken: Record<string, string>[] = [
      {},
      { 'x-internal-token': 'wrong' },
      { 'x-internal-token': '' },
    ]
    for (const headers of withoutToken) {
      expect((await callApi(first.url, admin, 'POST', '/internal/guard', body, headers)).status).toBe(404)
    }
    const headers = { 'x-internal-token': harness.identity.internalToken }
    for (const bad of [{}, { ...body, action: 'A B' }, { ...body, userId: 'x' }, { ...body, more: 1 }]) {
      expect((await callApi(first.url, null, 'POST', '/internal/guard', bad, headers)).status).toBe(400)
    }
  })
})

describe('a refused attempt that a service reports', () => {
  const attempt = (userId: string, facts: Partial<RefusedAttempt> = {}): RefusedAttempt => ({
    id: randomUUID(),
    userId,
    role: 'user',
    operation: 'stream.control',
    route: 'POST /api/channels/:id/stream',
    params: { id: 'default' },
    targetUserId: null,
    requestId: 'request-2',
    occurredAt: '2026-11-22T10:00:00.000Z',
    ...facts,
  })
  const report = (attempts: unknown[], url = first.url, token = harness.identity.internalToken) =>
    callApi(url, null, 'POST', '/internal/refused-attempts', { attempts }, { 'x-internal-token': token })
  const entries = async (userId: string) => {
    await first.processAll()
    return readLog(first.url, admin, `?adminUserId=${userId}`)
  }

  it('is an entry with user, operation, target and time', async () => {
    const [userId, targetUserId] = [randomUUID(), randomUUID()]
    expect((await report([attempt(userId, { targetUserId })])).status).toBe(200)
    expect(await entries(userId)).toMatchObject([
      {
        action: 'security_unauthorized_admin_attempt',
        targetType: 'user',
        targetId: userId,
        targetUserId,
        details: {
          role: 'user',
          operation: 'stream.control',
          route: 'POST /api/channels/:id/stream',
          params: { id: 'default' },
          refusedAt: '2026-11-22T10:00:00.000Z',
        },
      },
    ])
  })

  it('is recorded once when it is reported several times to several replicas', async () => {
    const userId = randomUUID()
    const same = attempt(userId)
    await Promise.all([first, second, first, second].map(({ url }) => report([same, same], url)))
    expect(await entries(userId)).toHaveLength(1)
  })

  it('is recorded up to 20 times per user and hour; one more entry says that further ones are not recorded', async () => {
    const [frequentUser, otherUser] = [randomUUID(), randomUUID()]
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        report(
          [attempt(frequentUser), attempt(otherUser), attempt(frequentUser)].slice(0, n === 0 ? 3 : 1),
          n % 2 ? first.url : second.url,
        ),
      ),
    )
    const found = await entries(frequentUser)
    expect(found).toHaveLength(21)
    expect(found.filter(({ details }) => 'notRecordedUntil' in (details as object))).toMatchObject([
      { details: { limit: 20, countedBy: 'user', notRecordedUntil: expect.stringMatching(/:00:00\.000Z$/) } },
    ])
    expect(await entries(otherUser)).toHaveLength(1)
  })

  it('of anonymous users of one network is recorded up to 20 times an hour in all, and does not count for others', async () => {
    const network = randomUUID()
    const many = Array.from({ length: 30 }, () => attempt(randomUUID(), { network, lacks: 'account' }))
    await Promise.all(many.map((one, n) => report([one, ...many], n % 2 ? first.url : second.url)))
    const found = (await Promise.all(many.map(({ userId }) => entries(userId)))).flat()
    expect(found).toHaveLength(21)
    const notices = found.filter(({ details }) => 'notRecordedUntil' in (details as object))
    expect(notices).toMatchObject([{ details: { limit: 20, countedBy: 'network' } }])
    expect(JSON.stringify(found)).not.toContain(network)
    expect(found.filter(({ details }) => (details as { lacks?: string }).lacks === 'account')).toHaveLength(
      20,
    )
    const [elsewhere, withAccount] = [randomUUID(), randomUUID()]
    await report([attempt(elsewhere, { network: randomUUID() }), attempt(withAccount)])
    expect([...(await entries(elsewhere)), ...(await entries(withAccount))]).toMatchObject([
      { details: { lacks: 'role' } },
      { details: { lacks: 'role' } },
    ])
  })

  it('is recorded again in the next hour', async () => {
    const userId = randomUUID()
    let nowMs = Date.parse('2026-11-22T10:59:59Z')
    const refusals = new RefusedAttempts({ db: harness.db, rateLimitFactor: 0.05, now: () => nowMs })
    for (let n = 0; n < 4; n += 1) await refusals.recordReported([attempt(userId)])
    nowMs += 1000
    await refusals.recordReported([attempt(userId)])
    expect(await entries(userId)).toHaveLength(3)
  })

  it('is accepted with the internal token and a valid body only', async () => {
    const userId = randomUUID()
    expect((await report([attempt(userId)], first.url, 'wrong')).status).toBe(404)
    for (const bad of [
      { userId: 'x' },
      { params: { id: 'y'.repeat(101) } },
      { more: 1 },
      { route: 'a\u0000b' },
    ])
      expect((await report([{ ...attempt(userId), ...bad }])).status).toBe(400)
    expect((await report([])).status).toBe(400)
    expect(await entries(userId)).toEqual([])
  })
})

describe('unusual activity', () => {
  async function act(actorId: string, times: number, occurredAt = new Date().toISOString()): Promise<void> {
    for (let i = 0; i < times; i += 1)
      await harness.publishAudit({ actorId, action: 'video.add', occurredAt })
    await first.processAll()
  }

  it('is recorded once a day across replicas when an admin has more than fifty actions in a day', async () => {
    const [normal, busy] = [randomUUID(), randomUUID()]
    await act(normal, 50)
    await act(busy, 51)
    let nowMs = Date.now()
    await Promise.all([1, 2, 3].map(() => checkAdminActivity(harness.db, nowMs)))
    await checkAdminActivity(harness.db, nowMs)
    expect(await securityActions(normal)).toEqual([])
    expect(await securityActions(busy)).toEqual(['security_high_activity_detected'])
    const [line] = await readLog(first.url, admin, `?adminUserId=${busy}&security=true`)
    expect(line!.details).toEqual({ actions: 51, limit: 50, hours: 24 })

    nowMs += DAY_MS
    await act(busy, 51, new Date(nowMs - 1000).toISOString())
    await checkAdminActivity(harness.db, nowMs)
    expect(await securityActions(busy)).toHaveLength(2)
  })

  it('does not include actions older than a day', async () => {
    const userId = randomUUID()
    await act(userId, 40, new Date(Date.now() - DAY_MS - 60_000).toISOString())
    await act(userId, 40)
    await checkAdminActivity(harness.db, Date.now())
    expect(await securityActions(userId)).toEqual([])
  })

  it('is checked when the service starts', async () => {
    const userId = randomUUID()
    await act(userId, 60)
    const third = await harness.serve({}, { tasks: true })
    await third.close()
    expect(await securityActions(userId)).toEqual(['security_high_activity_detected'])
  })
})
