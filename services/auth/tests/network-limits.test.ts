import { startRedis } from '@looptide/testkit/redis'
import { until } from '@looptide/testkit/until'
import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, call, newAddress, PASSWORD, startAuth, type TestAuth, VERSION } from './_util.ts'

const running: { stop(): Promise<void> }[] = []
async function start(...args: Parameters<typeof startAuth>): Promise<TestAuth> {
  const auth = await startAuth(...args)
  running.push(auth)
  return auth
}
afterEach(async () => {
  for (const one of running.splice(0).reverse()) await one.stop()
})

type Place = Pick<TestAuth, 'url'>
const post = (auth: Place, path: string, body: unknown, from: string): Promise<Answer> =>
  call(`${auth.url}${path}`, 'POST', body, { ...VERSION, 'x-forwarded-for': from })
const signIn = (auth: Place, from: string, email = newAddress()): Promise<Answer> =>
  post(auth, '/token?grant_type=password', { email, password: 'Summer2026!' }, from)
const signUp = (auth: Place, from: string): Promise<Answer> =>
  post(auth, '/signup', { email: newAddress(), password: PASSWORD }, from)

/** One request per address in turn; answers their statuses. */
async function statusesOf(
  ask: (from: string) => Promise<Answer>,
  addresses: readonly string[],
): Promise<number[]> {
  const statuses: number[] = []
  for (const address of addresses) statuses.push((await ask(address)).status)
  return statuses
}
const addresses = (count: number, name: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => name(index))
const of64 = (index: number): string => `2001:db8:1:2::${(index + 1).toString(16)}`
const of48 = (index: number): string => `2001:db8:1:${(index + 16).toString(16)}::1`

describe('the addresses of one network', () => {
  it('an IPv6 /64 has one limit for sign-ins, however many of its addresses are used', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const statuses = await statusesOf((from) => signIn(auth, from), addresses(30, of64))
    expect(statuses).toEqual([...Array(12).fill(400), ...Array(18).fill(429)])
    expect((await signIn(auth, '2001:db8:9::1')).status).toBe(400)
  })

  it('an IPv6 /48 has four times the limit of a /64', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const statuses = await statusesOf((from) => signIn(auth, from), addresses(52, of48))
    expect(statuses).toEqual([...Array(48).fill(400), ...Array(4).fill(429)])
    expect((await signIn(auth, '2001:db8:2:1::1')).status).toBe(400)
  })

  it('an IPv4 address and its IPv6 notations are one network', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const notations = ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:192.0.2.7']
    const statuses = await statusesOf(
      (from) => signIn(auth, from),
      addresses(16, (index) => notations[index % 4]!),
    )
    expect(statuses).toEqual([...Array(12).fill(400), ...Array(4).fill(429)])
  })

  it('share the limits of an account, of mails, of sign-ups and of codes', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1', MAIL_CONFIRMATION: 'on' })
    const email = newAddress()
    const one = await statusesOf((from) => signIn(auth, from, email), addresses(3, of64))
    expect(one).toEqual([400, 429, 429])
    const asks: [path: string, body: () => object][] = [
      ['/recover', () => ({ email: newAddress() })],
      ['/signup', () => ({ email: newAddress(), password: PASSWORD })],
      ['/verify', () => ({ email: newAddress(), type: 'email', token: '123456' })],
    ]
    for (const [path, body] of asks) {
      const statuses = await statusesOf(
        (from) => post(auth, path, body(), from),
        addresses(8, (index) => `2001:db8:5:${path.length}::${index + 1}`),
      )
      expect([path, statuses.slice(-2)]).toEqual([path, [429, 429]])
    }
  })
})

describe('the whole station', () => {
  const strangers = (count: number, network: number): string[] =>
    addresses(count, (index) => `10.${network}.${index}.1`)

  it('takes a number of sign-ups per minute, wherever they come from and at whichever replica', async () => {
    const redis = await startRedis()
    const auth = await start({ SIGN_UPS_PER_MINUTE: '8', RATE_LIMIT_FACTOR: '1', REDIS_URL: redis.url })
    running.unshift(redis)
    const replica = { url: `${(await auth.startReplica()).url}/auth/v1` }
    for (const at of [auth, replica]) {
      await until('Redis is in use', async () => (await signIn(at, '10.9.0.1')).status === 400)
    }
    let turn = 0
    const statuses = await statusesOf(
      (from) => signUp(turn++ % 2 === 0 ? auth : replica, from),
      strangers(12, 1),
    )
    expect(statuses).toEqual([...Array(8).fill(200), ...Array(4).fill(429)])
    const refused = await signUp(auth, '10.1.99.1')
    expect(refused.body.code).toBe('over_request_rate_limit')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const metrics = await (await fetch(`${auth.service.url}/metrics`)).text()
    expect(metrics).toMatch(/looptide_auth_rate_limited_total\{[^}]*rule="station-sign-ups"[^}]*\} [1-9]/)
  })

  it('asks for a number of mails per minute, and answers known and unknown addresses alike', async () => {
    const auth = await start({ MAILS_PER_MINUTE: '6', RATE_LIMIT_FACTOR: '1' })
    const known = (await signUp(auth, '10.8.0.1')).body.user.email as string
    const recover = (from: string, email = newAddress()) => post(auth, '/recover', { email }, from)
    const statuses = await statusesOf((from) => recover(from), strangers(8, 2))
    expect(statuses).toEqual([...Array(6).fill(200), 429, 429])
    const answers = [await recover('10.2.98.1', known), await recover('10.2.99.1')]
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([429, 'over_email_send_rate_limit'])
    }
    for (const path of ['/otp', '/resend']) {
      const answer = await post(auth, path, { email: newAddress(), type: 'signup' }, '10.2.97.1')
      expect([path, answer.body.code]).toEqual([path, 'over_email_send_rate_limit'])
    }
  })

  it('is not charged for what a network’s own limit has refused', async () => {
    const auth = await start({ SIGN_UPS_PER_MINUTE: '100', RATE_LIMIT_FACTOR: '0.1' })
    const flood = await statusesOf((from) => signUp(auth, from), addresses(20, of64))
    expect(flood.filter((status) => status === 200)).toHaveLength(6)
    const others = await statusesOf((from) => signUp(auth, from), strangers(4, 3))
    expect(others).toEqual([200, 200, 200, 200])
  })
})
