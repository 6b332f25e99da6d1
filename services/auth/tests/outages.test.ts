import { startPostgres } from '@looptide/testkit/postgres'
import { startRedis } from '@looptide/testkit/redis'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { call, newEmail, PASSWORD, signUp, startAuth, type TestAuth, VERSION } from './_harness.ts'
import { MailSink } from './_mail-sink.ts'
import { limitsAreShared } from './_shared-limits.ts'

const running: TestAuth[] = []
async function start(...args: Parameters<typeof startAuth>): Promise<TestAuth> {
  const auth = await startAuth(...args)
  running.push(auth)
  return auth
}
afterEach(async () => {
  for (const auth of running.splice(0)) await auth.stop()
})

const signIn = (auth: TestAuth, email: string, password = PASSWORD, headers: Record<string, string> = {}) =>
  call(`${auth.url}/token?grant_type=password`, 'POST', { email, password }, { ...VERSION, ...headers })

describe('without SMTP', () => {
  it('an acknowledged mail is queued and sent once, and a newer one replaces it', async () => {
    const auth = await start()
    const [one, two] = [newEmail(), newEmail()]
    auth.sink.refuse = true
    expect((await call(`${auth.url}/otp`, 'POST', { email: one })).status).toBe(200)
    expect((await call(`${auth.url}/otp`, 'POST', { email: two })).status).toBe(200)
    expect((await call(`${auth.url}/otp`, 'POST', { email: two })).status).toBe(200)
    const queued = () => auth.db.selectFrom('mailOutbox').selectAll().execute()
    await until('it was tried', async () => (await queued()).some((row) => row.attempts > 0))
    expect(await queued()).toHaveLength(2)
    auth.sink.refuse = false
    auth.clock.advance(120_000)
    await auth.sink.latest(one)
    const mail = await auth.sink.latest(two)
    await until('the queue is empty', async () => (await queued()).length === 0)
    expect(auth.sink.mails).toHaveLength(2)
    expect(
      (await call(`${auth.url}/verify`, 'POST', { type: 'email', token_hash: mail.tokenHash })).status,
    ).toBe(200)
  })

  it('a queued mail survives the end of the process', async () => {
    const auth = await start({ SMTP_URL: 'smtp://127.0.0.1:9' })
    const email = newEmail()
    expect((await call(`${auth.url}/otp`, 'POST', { email })).status).toBe(200)
    await auth.service.close()
    const other = new MailSink()
    auth.config.mail.smtpUrl = await other.start()
    auth.clock.advance(120_000)
    const replica = await auth.startReplica()
    await other.latest(email)
    // It keeps its connection, and the SMTP server ends when its last one is closed.
    await replica.close()
    await other.stop()
  })
})

describe('rate limits', () => {
  it('count attempts by account, known or not, and by the IP that the gateway reports', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '1' })
    const { email } = await signUp(auth)
    const from = (ip: string) => ({ 'x-forwarded-for': `6.6.6.6, ${ip}` })
    for (const account of [email, 'nobody@example.test']) {
      const attempts = []
      for (let i = 0; i < 11; i += 1) attempts.push(await signIn(auth, account, 'wrong', from('10.0.0.1')))
      expect(attempts.slice(0, 10).map((answer) => answer.body.code)).toEqual(
        Array(10).fill('invalid_credentials'),
      )
      expect(attempts[10]).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
      expect(Number(attempts[10]?.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await signIn(auth, email, PASSWORD, { 'x-forwarded-for': '10.0.0.1, 10.0.0.2' })).status).toBe(
      200,
    )
  })

  it('count failures only', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '1' })
    const { email } = await signUp(auth)
    const statuses = []
    for (let i = 0; i < 15; i += 1) statuses.push((await signIn(auth, email)).status)
    expect(statuses).toEqual(Array(15).fill(200))
  })

  it('allow one mail per email and slot in a minute, for known and unknown emails', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '1', MAIL_CONFIRMATION: 'on' })
    const [known, unknown] = [newEmail(), newEmail()]
    await call(`${auth.url}/signup`, 'POST', { email: known, password: PASSWORD })
    const mail = await auth.sink.latest(known)
    await call(`${auth.url}/verify`, 'POST', { type: 'signup', token_hash: mail.tokenHash })
    for (const email of [known, unknown]) {
      const recover = () => call(`${auth.url}/recover`, 'POST', { email })
      const [one, two] = await Promise.all([recover(), recover()])
      expect([one.status, two.status].sort()).toEqual([200, 429])
      const refused = one.status === 429 ? one : two
      expect(refused.body.code).toBe('over_email_send_rate_limit')
    }
    await auth.sink.latest(known, 'recovery')
    expect(auth.sink.to(known).filter(({ type }) => type === 'recovery')).toHaveLength(1)
    // The other slot and the next minute are separate.
    expect((await call(`${auth.url}/signup`, 'POST', { email: known, password: PASSWORD })).status).toBe(429)
    auth.clock.advance(61_000)
    for (const email of [known, unknown]) {
      expect((await call(`${auth.url}/recover`, 'POST', { email })).status).toBe(200)
      expect((await call(`${auth.url}/resend`, 'POST', { email, type: 'signup' })).status).toBe(200)
      expect((await call(`${auth.url}/resend`, 'POST', { email, type: 'signup' })).status).toBe(429)
    }
  })

  it('are shared through Redis, and count in memory without it', async () => {
    const redis = await startRedis()
    const auth = await start({ RATE_LIMIT_FACTOR: '1', REDIS_URL: redis.url })
    const replica = await auth.startReplica()
    const signInAt = async (url: string, email: string) =>
      (await call(`${url}/auth/v1/token?grant_type=password`, 'POST', { email, password: 'wrong' })).status
    await limitsAreShared(redis, [auth, { url: `${replica.url}/auth/v1` }])
    const statuses = []
    for (let i = 0; i < 11; i += 1) {
      statuses.push(await signInAt(i % 2 === 0 ? auth.service.url : replica.url, 'shared@example.test'))
    }
    expect(statuses).toEqual([...Array(10).fill(400), 429])
    await redis.stop()
    const alone = []
    for (let i = 0; i < 11; i += 1) alone.push(await signInAt(auth.service.url, 'alone@example.test'))
    expect(alone).toEqual([...Array(10).fill(400), 429])
  })
})

describe('without Postgres', () => {
  it('bad requests get 4xx, good ones 503, keys stay published, and all recovers automatically', async () => {
    const postgres = await startPostgres()
    const auth = await start({}, postgres)
    const viewer = await signUp(auth)
    await sql`select 1`.execute(auth.db)
    postgres.kill()
    await until('Postgres is down', async () => (await signIn(auth, viewer.email)).status === 503)
    const refresh = (body: object) => call(`${auth.url}/token?grant_type=refresh_token`, 'POST', body)
    expect(await refresh({ refresh_token: viewer.refresh_token })).toMatchObject({
      status: 503,
      body: { code: 'service_unavailable', message: expect.any(String) },
    })
    expect((await refresh({ refresh_token: 'short' })).status).toBe(400)
    const me = await call(`${auth.service.url}/api/me`, 'GET', undefined, viewer.headers)
    expect([me.status, me.body.code]).toEqual([503, 'service_unavailable'])
    expect((await call(`${auth.url}/.well-known/jwks.json`, 'GET')).body.keys).toHaveLength(1)
    await postgres.restart()
    await until(
      'Postgres is back',
      async () => (await refresh({ refresh_token: viewer.refresh_token })).status === 200,
    )
    expect((await signIn(auth, viewer.email)).status).toBe(200)
    await auth.stop()
    running.length = 0
    await postgres.stop()
  })
})
