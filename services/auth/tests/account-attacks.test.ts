import { startRedis } from '@looptide/testkit/redis'
import { until } from '@looptide/testkit/until'
import { afterEach, describe, expect, it } from 'vitest'
import { PasswordHasher } from '../src/crypto/password-hasher.ts'
import {
  type Answer,
  call,
  newAddress,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  VERSION,
} from './_util.ts'

const running: { stop(): Promise<void> }[] = []
async function start(...args: Parameters<typeof startAuth>): Promise<TestAuth> {
  const auth = await startAuth(...args)
  running.push(auth)
  return auth
}
afterEach(async () => {
  for (const one of running.splice(0)) await one.stop()
})

const post = (
  auth: Pick<TestAuth, 'url'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) => call(`${auth.url}${path}`, 'POST', body, { ...VERSION, ...headers })
const signIn = (auth: Pick<TestAuth, 'url'>, email: string, password: string, from = '203.0.113.1') =>
  post(auth, '/token?grant_type=password', { email, password }, { 'x-forwarded-for': from })

/** What of an answer does not differ from one time to the next: status, names of headers, names of fields. */
function shapeOf({ status, headers, body }: Answer): unknown {
  const names = [...headers.keys()].filter((name) => !['date', 'content-length'].includes(name)).sort()
  const fieldsOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return 'a list'
    if (typeof value !== 'object' || value === null) return typeof value
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fieldsOf(field)]))
  }
  return { status, names, fields: fieldsOf(body) }
}

describe('who has an account', () => {
  it('is not told by any of the doors, in status, headers or fields', async () => {
    const auth = await start({ MAIL_CONFIRMATION: 'on' })
    const known = newAddress()
    await post(auth, '/signup', { email: known, password: PASSWORD })
    const { tokenHash } = await auth.sink.latest(known, 'signup')
    await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    const doors: [path: string, body: (email: string) => object][] = [
      ['/signup', (email) => ({ email, password: PASSWORD, data: { full_name: 'Ada' } })],
      ['/recover', (email) => ({ email })],
      ['/otp', (email) => ({ email })],
      ['/resend', (email) => ({ email, type: 'signup' })],
      ['/resend', (email) => ({ email, type: 'email_change' })],
      ['/token?grant_type=password', (email) => ({ email, password: 'not the password' })],
      ['/verify', (email) => ({ email, type: 'email', token: '000000' })],
    ]
    for (const [path, body] of doors) {
      const answers = [await post(auth, path, body(known)), await post(auth, path, body(newAddress()))]
      expect([path, shapeOf(answers[1]!)]).toEqual([path, shapeOf(answers[0]!)])
    }
  })

  it('is not told by the mail that others get: only who owns the address hears of it', async () => {
    const auth = await start({ MAIL_CONFIRMATION: 'on' })
    const known = newAddress()
    await post(auth, '/signup', { email: known, password: PASSWORD })
    const { tokenHash } = await auth.sink.latest(known, 'signup')
    await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    const before = auth.sink.mails.length
    const unknown = newAddress()
    await post(auth, '/signup', { email: known, password: PASSWORD })
    await post(auth, '/recover', { email: unknown })
    await post(auth, '/resend', { email: unknown, type: 'signup' })
    // One that does send comes behind them in the queue.
    await post(auth, '/recover', { email: known })
    await auth.sink.latest(known, 'recovery')
    expect(auth.sink.mails.slice(before).map(({ to, type }) => [to, type])).toEqual([[known, 'recovery']])
  })

  it('costs the same work: an unknown address is hashed for once, with the settings of a real one', async () => {
    const hashed: { stored: string; password: string }[] = []
    const hasher = new PasswordHasher(2, (stored, password) => {
      hashed.push({ stored, password })
      return Promise.resolve(false)
    })
    await hasher.verify(await hasher.hash('somebody’s'), 'tried')
    await hasher.verify(null, 'tried')
    const settings = hashed.map(({ stored, password }) => [stored.split('$').slice(0, 4).join('$'), password])
    expect(settings).toHaveLength(2)
    expect(settings[1]).toEqual(settings[0])
    expect(settings[0]?.[0]).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1$/)
  })
})

describe('credential stuffing', () => {
  it('from one address over many accounts ends, at whichever replica, and whatever the sender says of itself', async () => {
    const redis = await startRedis()
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1', REDIS_URL: redis.url })
    running.push(redis)
    const replica = { url: `${(await auth.startReplica()).url}/auth/v1` }
    await until('Redis is in use', async () => {
      const answer = await signIn(auth, newAddress(), 'wrong', '203.0.113.99')
      return answer.status === 400
    })
    const statuses: number[] = []
    for (let index = 0; index < 13; index += 1) {
      // What stands before the last entry is the sender's own word.
      const from = `10.0.0.${index}, 203.0.113.5`
      const headers = { 'x-real-ip': `10.1.0.${index}`, forwarded: `for=10.2.0.${index}` }
      const body = { email: newAddress(), password: 'Summer2026!' }
      const at = index % 2 === 0 ? auth : replica
      const answer = await post(at, '/token?grant_type=password', body, {
        ...headers,
        'x-forwarded-for': from,
      })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array(12).fill(400), 429])
    expect((await signIn(replica, newAddress(), 'Summer2026!', '203.0.113.6')).status).toBe(400)
  })

  it('at one account from many addresses ends, and its owner is let in again when the time is over', async () => {
    const redis = await startRedis()
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1', REDIS_URL: redis.url })
    running.push(redis)
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
  it('at one account, from many addresses, gets ten tries an hour, and the right code then is no use', async () => {
    const auth = await start({ MAIL_CONFIRMATION: 'on' })
    const email = newAddress()
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

  it('over many accounts from one address ends as well', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const statuses: number[] = []
    for (let index = 0; index < 7; index += 1) {
      const body = { email: newAddress(), type: 'email', token: '123456' }
      statuses.push((await post(auth, '/verify', body)).status)
    }
    expect(statuses).toEqual([...Array(6).fill(403), 429])
  })
})

describe('a stolen refresh token', () => {
  it('that is used beside its owner’s ends the session for both, and their access tokens with it', async () => {
    const auth = await start()
    const owner = await signUp(auth)
    const refresh = (token: string) => post(auth, '/token?grant_type=refresh_token', { refresh_token: token })
    const second = (await refresh(owner.refresh_token)).body
    const third = (await refresh(second.refresh_token)).body
    auth.clock.advance(11_000)
    expect((await refresh(owner.refresh_token)).body.code).toBe('refresh_token_already_used')
    for (const token of [third.access_token, owner.access_token]) {
      const answer = await call(`${auth.url}/user`, 'GET', undefined, {
        ...VERSION,
        authorization: `Bearer ${token}`,
      })
      expect(answer.body.code).toBe('session_not_found')
      const me = await call(`${auth.service.url}/api/me`, 'GET', undefined, {
        authorization: `Bearer ${token}`,
      })
      expect([me.status, me.body.code]).toEqual([401, 'unauthorized'])
    }
  })
})

describe('a page of another site', () => {
  it('has nothing to ride on: no cookie is set or looked at, and credentials are not let through', async () => {
    const auth = await start()
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
