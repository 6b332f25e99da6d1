import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { RefusedAttemptsBody } from '@looptide/contracts/http/admin'
import { freePort } from '@looptide/testkit/free-port'
import { until } from '@looptide/testkit/until'
import { Check } from 'typebox/value'
import { afterEach, describe, expect, it } from 'vitest'
import { HttpGuard } from '../src/audit/guard.ts'
import { type AttemptFacts, describeAttempt, RefusedAttemptReporter } from '../src/audit/refused-attempts.ts'
import { errors } from '../src/http/errors.ts'
import { buildServer } from '../src/http/server.ts'
import { type RequestUser, requirePermission } from '../src/identity/request-user.ts'
import type { Logger } from '../src/process/logger.ts'
import { createMetrics } from '../src/process/metrics.ts'
import { logger } from './fixtures.ts'

const facts = (userId: string): AttemptFacts => ({
  userId,
  role: 'user',
  operation: 'a.b',
  route: 'GET /',
  params: {},
  targetUserId: null,
  requestId: 'request-1',
})
const somebody = '01900000-0000-7000-8000-000000000001'
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** The place of admin-audit: takes reports over HTTP and remembers them. */
async function startAudit(port = 0): Promise<{ url: string; taken: AttemptFacts[]; server: Server }> {
  const taken: AttemptFacts[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body: unknown = await json(request)
    const isGood = Check(RefusedAttemptsBody, body)
    if (isGood) taken.push(...body.attempts)
    response.statusCode = isGood ? 200 : 400
    response.end(JSON.stringify(isGood ? {} : { code: 'validation_failed', message: 'no' }))
  }
  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, taken, server }
}

/** Remembers what is written to the process's log as an error. */
function noisyLogger(): { logger: Logger; errorLines: unknown[] } {
  const errorLines: unknown[] = []
  const noisy = Object.create(logger, {
    error: { value: (line: unknown) => errorLines.push(line) },
  }) as Logger
  return { logger: noisy, errorLines }
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
    ...options,
  })
  const figure = async (result: string): Promise<number> => {
    const text = await metrics.registry.getSingleMetricAsString('looptide_refused_attempts_total')
    return Number(new RegExp(`result="${result}".* (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  return { reporter, figure }
}

describe('refused attempts', () => {
  it('that are made while the audit service is away are reported when it is back, each once', async () => {
    const port = await freePort()
    const { reporter } = reporterTo(`http://127.0.0.1:${port}`)
    for (let n = 0; n < 10; n += 1) reporter.report({ ...facts(somebody), requestId: `request-${n}` })
    const audit = await startAudit(port)
    await until('all are there', () => audit.taken.length === 10)
    await reporter.close()
    expect(audit.taken.map(({ requestId }) => requestId)).toEqual(
      Array.from({ length: 10 }, (_, n) => `request-${n}`),
    )
  })

  it('that wait when the process ends are tried once more, else written to its log', async () => {
    const noisy = noisyLogger()
    const { reporter, figure } = reporterTo(`http://127.0.0.1:${await freePort()}`, noisy)
    reporter.report(facts(somebody))
    await reporter.close()
    expect(noisy.errorLines).toMatchObject([{ attempt: { userId: somebody, operation: 'a.b' } }])
    expect(await figure('lost')).toBe(1)
  })

  it('take bounded memory: what does not fit is written to the log and counted', async () => {
    const noisy = noisyLogger()
    const { reporter, figure } = reporterTo(`http://127.0.0.1:${await freePort()}`, noisy)
    const users = Array.from({ length: 1005 }, (_, n) => somebody.slice(0, -4) + String(n).padStart(4, '0'))
    for (const userId of users) reporter.report(facts(userId))
    expect(noisy.errorLines).toHaveLength(5)
    expect(await figure('lost')).toBe(5)
    await reporter.close()
    expect(noisy.errorLines).toHaveLength(1005)
  })

  it('of one user are reported twenty-one times an hour, and counted after that', async () => {
    const audit = await startAudit()
    let nowMs = Date.parse('2026-11-22T10:30:00Z')
    const { reporter, figure } = reporterTo(audit.url, { now: () => nowMs })
    for (let n = 0; n < 100; n += 1) reporter.report(facts(somebody))
    reporter.report(facts(somebody.replace('8000', '9000')))
    await until('they are there', async () => (await figure('reported')) === 22)
    expect([await figure('over_limit'), audit.taken.length]).toEqual([79, 22])
    nowMs += 1_800_000
    reporter.report(facts(somebody))
    await until('the next hour counts from zero', () => audit.taken.length === 23)
    await reporter.close()
  })
})

describe('a refusal', () => {
  async function serve(user: RequestUser | null) {
    const attempts: (AttemptFacts | null)[] = []
    const app = buildServer({
      name: 'test',
      logger,
      metrics: createMetrics('test'),
      onForbidden: (request) => attempts.push(describeAttempt(request)),
    })
    closing.push(() => app.close())
    const guard = new HttpGuard(`http://127.0.0.1:${await freePort()}`, 'token')
    app.decorateRequest('user', null)
    app.addHook('onRequest', async (request) => {
      request.user = user
    })
    const config = { operation: 'a.b' }
    app.put('/api/users/:id/role', { config }, async (request) => requirePermission(request, 'users:manage'))
    app.get('/moderators/:name', { config }, async (request) => requirePermission(request, 'chat:moderate'))
    app.get('/guarded', { config }, async (request) => guard.check(request, 'stream.reset.admin'))
    app.get('/in-a-service', { config }, async () => {
      throw errors.forbidden()
    })
    app.get('/of-somebody-else', { config }, async () => {
      throw errors.notAllowed('This is somebody else’s.')
    })
    const ask = (method: 'GET' | 'PUT', url: string) => app.inject({ method, url })
    return { attempts, ask }
  }
  const user: RequestUser = {
    id: somebody,
    sessionId: somebody,
    email: 'a@example.test',
    isAnonymous: false,
    role: 'user',
    lacksFactor: false,
    aal: 'aal1',
    factorVerifiedAtMs: null,
    scopes: null,
  }

  it('for want of a role is an attempt, wherever it is thrown, whether the guard answers or not', async () => {
    const { attempts, ask } = await serve(user)
    for (const path of ['/moderators/x', '/guarded', '/in-a-service']) {
      const answer = await ask('GET', path)
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

  it('names the operation and the user it was about', async () => {
    const { attempts, ask } = await serve(user)
    const target = '01900000-0000-7000-8000-00000000000A'
    await ask('PUT', `/api/users/${target}/role`)
    expect(attempts).toMatchObject([
      {
        userId: somebody,
        role: 'user',
        operation: 'a.b',
        route: 'PUT /api/users/:id/role',
        params: { id: target },
        targetUserId: target.toLowerCase(),
      },
    ])
  })

  it('takes nothing from the path that is no plain name', async () => {
    const { attempts, ask } = await serve(user)
    for (const name of ['%00', '%F0%9F%98%80', 'a%20b', 'default'])
      expect((await ask('GET', `/moderators/${name}`)).statusCode).toBe(403)
    expect(attempts.map((attempt) => attempt?.params)).toEqual([{}, {}, {}, { name: 'default' }])
  })

  it('of what is another user’s is no attempt, nor is an allowed request', async () => {
    const { attempts, ask } = await serve(user)
    expect((await ask('GET', '/of-somebody-else')).statusCode).toBe(403)
    const asModerator = await serve({ ...user, role: 'moderator' })
    expect((await asModerator.ask('GET', '/moderators/x')).statusCode).toBe(200)
    expect([...attempts, ...asModerator.attempts]).toEqual([])
  })

  it('of a visitor is a 401 and no attempt', async () => {
    const { attempts, ask } = await serve(null)
    for (const path of ['/moderators/x', '/guarded'])
      expect((await ask('GET', path)).json().message).toBe('Please log in to perform this action')
    expect(attempts).toEqual([])
  })
})
