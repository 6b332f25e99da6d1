import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type RefusedAttempt, RefusedAttemptsBody } from '@looptide/contracts/http/admin'
import { operation } from '@looptide/contracts/operation'
import { freePort } from '@looptide/testkit/free-port'
import { until } from '@looptide/testkit/until'
import { Check } from 'typebox/value'
import { afterEach, describe, expect, it } from 'vitest'
import { type AttemptFacts, describeAttempt, RefusedAttemptReporter } from '../src/audit/refused-attempts.ts'
import { errors } from '../src/http/errors.ts'
import { buildServer } from '../src/http/server.ts'
import { type RequestUser, requirePermission } from '../src/identity/request-user.ts'
import { HttpGuard } from '../src/limits/guard.ts'
import type { Logger } from '../src/telemetry/logger.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import { logger } from './fixtures.ts'

const facts = (userId: string): AttemptFacts => ({
  userId,
  role: 'user',
  operation: 'a.b',
  route: 'GET /',
  params: {},
  targetUserId: null,
  requestId: 'request-1',
  lacks: 'role',
  anonymousFrom: null,
})
const USER_ID = '01900000-0000-7000-8000-000000000001'
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Starts a server in place of admin-audit, which records the attempts reported to it. */
async function startAudit(port = 0): Promise<{ url: string; received: RefusedAttempt[]; server: Server }> {
  const received: RefusedAttempt[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = await json(request)
    const isValid = Check(RefusedAttemptsBody, body)
    if (isValid) received.push(...body.attempts)
    response.statusCode = isValid ? 200 : 400
    response.end(JSON.stringify(isValid ? {} : { code: 'validation_failed', message: 'no' }))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, server }
}

/** A logger that records the lines logged as errors. */
function recordingLogger(): { logger: Logger; errorLines: unknown[] } {
  const errorLines: unknown[] = []
  const recording = Object.create(logger, {
    error: { value: (line: unknown) => errorLines.push(line) },
  }) as Logger
  return { logger: recording, errorLines }
}

function reporterTo(adminAuditUrl: string, options: { logger?: Logger; now?: () => number } = {}) {
  const metrics = createMetrics('test')
  const reporter = new RefusedAttemptReporter({
    adminAuditUrl,
    internalToken: 'token',
    rateLimitFactor: 1,
    logger,
    metrics,
    retryMs: 5,
    // The limits are per hour, which does not end.
    now: () => Date.parse('2026-11-22T10:30:00Z'),
    ...options,
  })
  const countOf = async (result: string): Promise<number> => {
    const text = await metrics.registry.getSingleMetricAsString('looptide_refused_attempts_total')
    return Number(new RegExp(`result="${result}".* (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  return { reporter, countOf }
}

describe('refused attempts', () => {
  it('that are made while the audit service is down are reported when it is back, each once', async () => {
    const port = await freePort()
    const { reporter } = reporterTo(`http://127.0.0.1:${port}`)
    for (let n = 0; n < 10; n += 1) reporter.report({ ...facts(USER_ID), requestId: `request-${n}` })
    const audit = await startAudit(port)
    await until('all attempts are received', () => audit.received.length === 10)
    await reporter.close()
    expect(audit.received.map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: 10 }, (_, n) => `request-${n}`),
    )
  })

  it('that are queued when the process ends are sent once more, or logged if that fails', async () => {
    const recording = recordingLogger()
    const { reporter, countOf } = reporterTo(`http://127.0.0.1:${await freePort()}`, recording)
    reporter.report(facts(USER_ID))
    await reporter.close()
    expect(recording.errorLines).toMatchObject([{ attempt: { userId: USER_ID, operation: 'a.b' } }])
    expect(await countOf('lost')).toBe(1)
  })

  it('use bounded memory: those beyond the limit of the queue are logged and counted', async () => {
    const recording = recordingLogger()
    const { reporter, countOf } = reporterTo(`http://127.0.0.1:${await freePort()}`, recording)
    const users = Array.from({ length: 1005 }, (_, n) => USER_ID.slice(0, -4) + String(n).padStart(4, '0'))
    for (const userId of users) reporter.report(facts(userId))
    expect(recording.errorLines).toHaveLength(5)
    expect(await countOf('lost')).toBe(5)
    await reporter.close()
    expect(recording.errorLines).toHaveLength(1005)
  })

  it('of one user are reported up to 21 times an hour, and only counted after that', async () => {
    const audit = await startAudit()
    let nowMs = Date.parse('2026-11-22T10:30:00Z')
    const { reporter, countOf } = reporterTo(audit.url, { now: () => nowMs })
    for (let n = 0; n < 100; n += 1) reporter.report(facts(USER_ID))
    reporter.report(facts(USER_ID.replace('8000', '9000')))
    await until('22 attempts are reported', async () => (await countOf('reported')) === 22)
    expect([await countOf('over_limit'), audit.received.length]).toEqual([79, 22])
    nowMs += 1_800_000
    reporter.report(facts(USER_ID))
    await until('the attempt of the next hour is received', () => audit.received.length === 23)
    await reporter.close()
  })
})

describe('refused attempts of anonymous users', () => {
  const site = (name: string) => ({ network: name, site: name })

  it('of one network are reported up to 21 times an hour, by its digest, whichever user makes them', async () => {
    const audit = await startAudit()
    const { reporter, countOf } = reporterTo(audit.url)
    const ids = Array.from({ length: 30 }, () => randomUUID())
    for (const id of ids) reporter.report({ ...facts(id), anonymousFrom: site('192.0.2.1') })
    reporter.report({ ...facts(randomUUID()), anonymousFrom: site('192.0.2.2') })
    await until('22 attempts are reported', async () => (await countOf('reported')) === 22)
    await reporter.close()
    expect(await countOf('over_limit')).toBe(9)
    const networks = audit.received.map(({ network }) => network)
    expect(new Set(networks).size).toBe(2)
    expect(JSON.stringify(audit.received)).not.toContain('192.0.2')
  })

  it('count for the user, too, who changes networks', async () => {
    const audit = await startAudit()
    const { reporter, countOf } = reporterTo(audit.url)
    for (let n = 0; n < 30; n += 1)
      reporter.report({ ...facts(USER_ID), anonymousFrom: site(`192.0.2.${n}`) })
    await until('21 attempts are reported', async () => (await countOf('reported')) === 21)
    await reporter.close()
    expect(await countOf('over_limit')).toBe(9)
  })
})

describe('a refusal', () => {
  async function startApp(user: RequestUser | null) {
    const attempts: (AttemptFacts | null)[] = []
    const app = buildServer({
      name: 'test',
      logger,
      metrics: createMetrics('test'),
      onForbidden: (request, lacks) => attempts.push(describeAttempt(request, lacks)),
    })
    closing.push(() => app.close())
    const guard = new HttpGuard(`http://127.0.0.1:${await freePort()}`, 'token')
    app.decorateRequest('user', null)
    app.addHook('onRequest', async (request) => {
      request.user = user
    })
    const config = { operation: 'a.b' }
    const definition = operation({
      name: 'a.b',
      summary: 'A test',
      call: 'PUT /api/users/:id/role',
      audience: 'users:manage',
      token: 'session-only',
      output: { 204: null },
    })
    app.put('/api/users/:id/role', { config: { ...config, definition } }, async (request) =>
      requirePermission(request, 'users:manage'),
    )
    app.get('/moderators/:name', { config }, async (request) => requirePermission(request, 'chat:moderate'))
    app.get('/guarded', { config }, async (request) => guard.check(request, 'stream.reset.admin'))
    app.get('/in-a-service', { config }, async () => {
      throw errors.forbidden()
    })
    app.get('/of-another-user', { config }, async () => {
      throw errors.notAllowed('This belongs to another user.')
    })
    const send = (method: 'GET' | 'PUT', url: string) => app.inject({ method, url })
    return { attempts, send }
  }
  const user: RequestUser = {
    id: USER_ID,
    sessionId: USER_ID,
    generation: 1,
    email: 'a@example.test',
    isAnonymous: false,
    role: 'user',
    lacksFactor: false,
    aal: 'aal1',
    signedInAtMs: null,
    hasFactor: false,
    factorVerifiedAtMs: null,
    scopes: null,
  }

  it('because of a missing role is an attempt, wherever it is thrown, also when the guard does not answer', async () => {
    const { attempts, send } = await startApp(user)
    for (const path of ['/moderators/x', '/guarded', '/in-a-service']) {
      const answer = await send('GET', path)
      expect([path, answer.statusCode, answer.json().message]).toEqual([
        path,
        403,
        "You don't have permission to perform this action",
      ])
    }
    expect(attempts.map((attempt) => attempt?.route)).toEqual([
      'GET /moderators/:name',
      'GET /guarded',
      'GET /in-a-service',
    ])
  })

  it('is reported with its operation and its target user', async () => {
    const { attempts, send } = await startApp(user)
    const target = '01900000-0000-7000-8000-00000000000A'
    await send('PUT', `/api/users/${target}/role`)
    expect(attempts).toMatchObject([
      {
        userId: USER_ID,
        role: 'user',
        operation: 'a.b',
        route: 'PUT /api/users/:id/role',
        params: { id: target },
        targetUserId: target.toLowerCase(),
      },
    ])
  })

  it('is reported without path parameters that are not plain names', async () => {
    const { attempts, send } = await startApp(user)
    for (const name of ['%00', '%F0%9F%98%80', 'a%20b', 'default'])
      expect((await send('GET', `/moderators/${name}`)).statusCode).toBe(403)
    expect(attempts.map((attempt) => attempt?.params)).toEqual([{}, {}, {}, { name: 'default' }])
  })

  it('because something belongs to another user is no attempt, nor is an allowed request', async () => {
    const { attempts, send } = await startApp(user)
    expect((await send('GET', '/of-another-user')).statusCode).toBe(403)
    const asModerator = await startApp({ ...user, role: 'moderator' })
    expect((await asModerator.send('GET', '/moderators/x')).statusCode).toBe(200)
    expect([...attempts, ...asModerator.attempts]).toEqual([])
  })

  it('of a visitor is answered 401 and is no attempt', async () => {
    const { attempts, send } = await startApp(null)
    for (const path of ['/moderators/x', '/guarded'])
      expect((await send('GET', path)).json().message).toBe('Please log in to perform this action')
    expect(attempts).toEqual([])
  })
})
