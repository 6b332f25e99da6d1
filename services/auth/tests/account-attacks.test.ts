import { startRedis } from '@looptide/testkit/redis'
import { describe, expect, it } from 'vitest'
import { PasswordHasher } from '../src/crypto/password-hasher.ts'
import { type Answer, call, newEmail, PASSWORD, signUp, VERSION } from './_harness.ts'
import { startForTest, stopAfterTest } from './_per-test.ts'
import { post, signIn } from './_requests.ts'
import { limitsAreShared } from './_shared-limits.ts'

/** The parts of an answer that do not vary between requests: status, header names, field names. */
function shapeOf({ status, headers, body }: Answer): unknown {
  const names = [...headers.keys()].filter((name) => !['date', 'content-length'].includes(name)).sort()
  const fieldsOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return 'a list'
    if (typeof value !== 'object' || value === null) return typeof value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fieldsOf(field)]))
  }
  return { status, names, fields: fieldsOf(body) }
}

describe('whether an account exists', () => {
  it('is not revealed by status, headers or fields of any endpoint', async () => {
    const auth = await startForTest({ MAIL_CONFIRMATION: 'on' })
    const known = newEmail()
    await post(auth, '/signup', { email: known, password: PASSWORD })
    const { tokenHash } = await auth.sink.latest(known, 'signup')
    await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    const endpoints: [path: string, body: (email: string) => object][] = [
      ['/signup', (email) => ({ email, password: PASSWORD, data: { full_name: 'Ada' } })],
      ['/recover', (email) => ({ email })],
      ['/otp', (email) => ({ email })],
      ['/resend', (email) => ({ email, type: 'signup' })],
      ['/resend', (email) => ({ email, type: 'email_change' })],
      ['/token?grant_type=password', (email) => ({ email, password: 'not the password' })],
      ['/verify', (email) => ({ email, type: 'email', token: '000000' })],
    ]
    for (const [path, body] of endpoints) {
      const answers = [await post(auth, path, body(known)), await post(auth, path, body(newEmail()))]
      expect([path, shapeOf(answers[1]!)]).toEqual([path, shapeOf(answers[0]!)])
    }
  })

  it('is not revealed by mails: only the owner of the email receives one', async () => {
    const auth = await startForTest({ MAIL_CONFIRMATION: 'on' })
    const known = newEmail()
    await post(auth, '/signup', { email: known, password: PASSWORD })
    const { tokenHash } = await auth.sink.latest(known, 'signup')
    await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    const before = auth.sink.mails.length
    const unknown = newEmail()
    await post(auth, '/signup', { email: known, password: PASSWORD })
    await post(auth, '/recover', { email: unknown })
    await post(auth, '/resend', { email: unknown, type: 'signup' })
    // This mail is queued after any mail of the requests above.
    await post(auth, '/recover', { email: known })
    await auth.sink.latest(known, 'recovery')
    expect(auth.sink.mails.slice(before).map(({ to, type }) => [to, type])).toEqual([[known, 'recovery']])
  })

  it('does not change the work: an unknown email is hashed once, with the parameters of a real hash', async () => {
    const hashed: { stored: string; password: string }[] = []
    const hasher = new PasswordHasher(2, (stored, password) => {
      hashed.push({ stored, password })
      return Promise.resolve(false)
    })
    await hasher.verify(await hasher.hash('a password'), 'a guess')
    await hasher.verify(null, 'a guess')
    const parameters = hashed.map(({ stored, password }) => [
      stored.split('$').slice(0, 4).join('$'),
      password,
    ])
    expect(parameters).toHaveLength(2)
    expect(parameters[1]).toEqual(parameters[0])
    expect(parameters[0]?.[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1$/)
  })
})

describe('credential stuffing', () => {
  it('of many accounts from one IP is limited, at every replica, whatever headers the client sends', async () => {
    const redis = await startRedis()
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '0.1', REDIS_URL: redis.url })
    stopAfterTest(redis)
    const replica = { url: `${(await auth.startReplica()).url}/auth/v1` }
    await limitsAreShared(redis, [auth, replica])
    const statuses: number[] = []
    for (let index = 0; index < 13; index += 1) {
      // Only the last entry comes from the gateway; the client can forge the others.
      const from = `10.0.0.${index}, 203.0.113.5`
      const headers = { 'x-real-ip': `10.1.0.${index}`, forwarded: `for=10.2.0.${index}` }
      const body = { email: newEmail(), password: 'Summer2026!' }
      const at = index % 2 === 0 ? auth : replica
      const answer = await post(at, '/token?grant_type=password', body, {
        ...headers,
        'x-forwarded-for': from,
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array(12).fill(400), 429])
    expect((await signIn(replica, newEmail(), 'Summer2026!', '203.0.113.6')).status).toBe(400)
  })

  it('of one account from many IPs is limited, and its owner gets the time until the next attempt', async () => {
    const redis = await startRedis()
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '0.1', REDIS_URL: redis.url })
    stopAfterTest(redis)
    await limitsAreShared(redis, [auth])
    const { email } = await signUp(auth)
    const statuses: number[] = []
    for (let index = 0; index < 7; index += 1) {
      statuses.push((await signIn(auth, email, 'wrong', `203.0.113.${10 + index}`)).status)
    }
    expect(statuses).toEqual([...Array(6).fill(400), 429])
    const refused = await signIn(auth, email, PASSWORD, '203.0.113.200')
    expect(refused.body.code).toBe('over_request_rate_limit')
    const retryAfterS = Number(refused.headers.get('retry-after'))
    expect(retryAfterS).toBeGreaterThan(0)
    expect(retryAfterS).toBeLessThanOrEqual(900)
  })
})

describe('guessing codes', () => {
  it('of one account from many IPs has ten attempts an hour; then the correct code is refused too', async () => {
    const auth = await startForTest({ MAIL_CONFIRMATION: 'on' })
    const email = newEmail()
    await post(auth, '/signup', { email, password: PASSWORD })
    const { code } = await auth.sink.latest(email, 'signup')
    for (let index = 0; index < 10; index += 1) {
      const token = String((Number(code) + index + 1) % 1_000_000).padStart(6, '0')
      const answer = await post(
        auth,
        '/verify',
        { email, type: 'signup', token },
        { 'x-forwarded-for': `203.0.113.${index}` },
      )
      expect(answer.body.code).toBe('otp_expired')
    }
    expect((await post(auth, '/verify', { email, type: 'signup', token: code })).body.code).toBe(
      'otp_expired',
    )
  })

  it('of many accounts from one IP is limited', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '0.1' })
    const statuses: number[] = []
    for (let index = 0; index < 7; index += 1) {
      const body = { email: newEmail(), type: 'email', token: '123456' }
      statuses.push((await post(auth, '/verify', body)).status)
    }
    expect(statuses).toEqual([...Array(6).fill(403), 429])
  })
})

describe('a page of another site', () => {
  it('cannot use the session of a user: no cookie is set or read, and credentials are not allowed', async () => {
    const auth = await startForTest()
    const { access_token: token } = await signUp(auth)
    const signedIn = await call(`${auth.url}/user`, 'GET', undefined, {
      ...VERSION,
      origin: 'https://evil.test',
      cookie: `access_token=${token}; sb-access-token=${token}`,
    })
    expect([signedIn.status, signedIn.body.code]).toEqual([401, 'no_authorization'])
    expect(signedIn.headers.get('access-control-allow-credentials')).toBeNull()
    const session = await post(auth, '/token?grant_type=password', { email: 'x@example.test', password: 'x' })
    expect(session.headers.get('set-cookie')).toBeNull()
  })
})
