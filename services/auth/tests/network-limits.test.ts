import { startRedis } from '@looptide/testkit/redis'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, call, newEmail, PASSWORD, startAuth, type TestAuth, VERSION } from './_harness.ts'
import { limitsAreShared } from './_shared-limits.ts'

const running: { stop(): Promise<void> }[] = []
async function start(...args: Parameters<typeof startAuth>): Promise<TestAuth> {
  const auth = await startAuth(...args)
  running.push(auth)
  return auth
}
afterEach(async () => {
  for (const service of running.splice(0).reverse()) await service.stop()
})

type AuthUrl = Pick<TestAuth, 'url'>
const post = (auth: AuthUrl, path: string, body: unknown, from: string): Promise<Answer> =>
  call(`${auth.url}${path}`, 'POST', body, { ...VERSION, 'x-forwarded-for': from })
const signIn = (auth: AuthUrl, from: string, email = newEmail()): Promise<Answer> =>
  post(auth, '/token?grant_type=password', { email, password: 'Summer2026!' }, from)
const signUp = (auth: AuthUrl, from: string): Promise<Answer> =>
  post(auth, '/signup', { email: newEmail(), password: PASSWORD }, from)

/** Sends one request per IP, in order, and returns the statuses. */
async function statusesOf(
  send: (from: string) => Promise<Answer>,
  ips: readonly string[],
): Promise<number[]> {
  const statuses: number[] = []
  for (const ip of ips) statuses.push((await send(ip)).status)
  return statuses
}
const makeIps = (count: number, ipAt: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => ipAt(index))
const in64 = (index: number): string => `2001:db8:1:2::${(index + 1).toString(16)}`
const in48 = (index: number): string => `2001:db8:1:${(index + 16).toString(16)}::1`

describe('the IPs of one network', () => {
  it('share one limit for sign-ins in an IPv6 /64', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const statuses = await statusesOf((from) => signIn(auth, from), makeIps(30, in64))
    expect(statuses).toEqual([...Array(12).fill(400), ...Array(18).fill(429)])
    expect((await signIn(auth, '2001:db8:9::1')).status).toBe(400)
  })

  it('share one limit for the admin API, which refuses every key when none is set', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.01' })
    const ask = (from: string) =>
      call(`${auth.url}/admin/users`, 'GET', undefined, {
        ...VERSION,
        authorization: 'Bearer undefined',
        'x-forwarded-for': from,
      })
    const statuses = await statusesOf(ask, makeIps(14, in64))
    expect(statuses).toEqual([...Array(12).fill(403), 429, 429])
  })

  it('have four times the limit of a /64 in an IPv6 /48', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const statuses = await statusesOf((from) => signIn(auth, from), makeIps(52, in48))
    expect(statuses).toEqual([...Array(48).fill(400), ...Array(4).fill(429)])
    expect((await signIn(auth, '2001:db8:2:1::1')).status).toBe(400)
  })

  it('include all notations of an IPv4 address', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const notations = ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:192.0.2.7']
    const statuses = await statusesOf(
      (from) => signIn(auth, from),
      makeIps(16, (index) => notations[index % 4]!),
    )
    expect(statuses).toEqual([...Array(12).fill(400), ...Array(4).fill(429)])
  })

  it('share the limits of accounts, mails, sign-ups and codes', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1', MAIL_CONFIRMATION: 'on' })
    const email = newEmail()
    const ofAccount = await statusesOf((from) => signIn(auth, from, email), makeIps(3, in64))
    expect(ofAccount).toEqual([400, 429, 429])
    const requests: [path: string, body: () => object][] = [
      ['/recover', () => ({ email: newEmail() })],
      ['/signup', () => ({ email: newEmail(), password: PASSWORD })],
      ['/verify', () => ({ email: newEmail(), type: 'email', token: '123456' })],
    ]
    for (const [path, body] of requests) {
      const statuses = await statusesOf(
        (from) => post(auth, path, body(), from),
        makeIps(8, (index) => `2001:db8:5:${path.length}::${index + 1}`),
      )
      expect([path, statuses.slice(-2)]).toEqual([path, [429, 429]])
    }
  })
})

describe('the whole station', () => {
  const ipsOfNetwork = (count: number, network: number): string[] =>
    makeIps(count, (index) => `10.${network}.${index}.1`)

  it('accepts a number of sign-ups per minute, from all networks and at all replicas together', async () => {
    const redis = await startRedis()
    const auth = await start({ SIGN_UPS_PER_MINUTE: '8', RATE_LIMIT_FACTOR: '1', REDIS_URL: redis.url })
    running.unshift(redis)
    const replica = { url: `${(await auth.startReplica()).url}/auth/v1` }
    await limitsAreShared(redis, [auth, replica])
    let requests = 0
    const statuses = await statusesOf(
      (from) => signUp(requests++ % 2 === 0 ? auth : replica, from),
      ipsOfNetwork(12, 1),
    )
    expect(statuses).toEqual([...Array(8).fill(200), ...Array(4).fill(429)])
    const refused = await signUp(auth, '10.1.99.1')
    expect(refused.body.code).toBe('over_request_rate_limit')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const metrics = await (await fetch(`${auth.service.url}/metrics`)).text()
    expect(metrics).toMatch(/looptide_auth_rate_limited_total\{[^}]*rule="station-sign-ups"[^}]*\} [1-9]/)
  })

  it('accepts a number of mail requests per minute, and answers known and unknown emails alike', async () => {
    const auth = await start({ MAILS_PER_MINUTE: '6', RATE_LIMIT_FACTOR: '1' })
    const known = (await signUp(auth, '10.8.0.1')).body.user.email as string
    const recover = (from: string, email = newEmail()) => post(auth, '/recover', { email }, from)
    const statuses = await statusesOf((from) => recover(from), ipsOfNetwork(8, 2))
    expect(statuses).toEqual([...Array(6).fill(200), 429, 429])
    const answers = [await recover('10.2.98.1', known), await recover('10.2.99.1')]
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([429, 'over_email_send_rate_limit'])
    }
    for (const path of ['/otp', '/resend']) {
      const answer = await post(auth, path, { email: newEmail(), type: 'signup' }, '10.2.97.1')
      expect([path, answer.body.code]).toEqual([path, 'over_email_send_rate_limit'])
    }
  })

  it('does not count requests that the limit of a network refused', async () => {
    const auth = await start({ SIGN_UPS_PER_MINUTE: '100', RATE_LIMIT_FACTOR: '0.1' })
    const flood = await statusesOf((from) => signUp(auth, from), makeIps(20, in64))
    expect(flood.filter((status) => status === 200)).toHaveLength(6)
    const others = await statusesOf((from) => signUp(auth, from), ipsOfNetwork(4, 3))
    expect(others).toEqual([200, 200, 200, 200])
  })
})
