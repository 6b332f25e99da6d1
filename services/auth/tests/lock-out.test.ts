import { until } from '@looptide/testkit/until'
import { describe, expect, it } from 'vitest'
import { call, newEmail, PASSWORD, signUp, type TestAuth, VERSION } from './_harness.ts'
import { startForTest } from './_per-test.ts'

const post = (auth: TestAuth, path: string, body: unknown, from: string) =>
  call(`${auth.url}${path}`, 'POST', body, { ...VERSION, 'x-forwarded-for': from })
const signIn = (auth: TestAuth, email: string, password: string, from: string) =>
  post(auth, '/token?grant_type=password', { email, password }, from)

const HOME = '198.51.100.7'

/** Sends wrong passwords for an account, each from another network than the one before. */
async function attack(auth: TestAuth, email: string, attempts: number): Promise<void> {
  for (let index = 0; index < attempts; index += 1) {
    await signIn(auth, email, 'wrong', `2001:db8:${(index % 30) + 100}:1::${index + 1}`)
  }
}

describe('an account under attack', () => {
  it('lets its owner sign in from a network they signed in from before', async () => {
    const auth = await startForTest({ RATE_LIMIT_FACTOR: '1' })
    const { email } = await signUp(auth)
    expect((await signIn(auth, email, PASSWORD, HOME)).status).toBe(200)
    await attack(auth, email, 70)
    expect((await signIn(auth, email, PASSWORD, '192.0.2.99')).status).toBe(429)
    expect((await signIn(auth, email, PASSWORD, HOME)).status).toBe(200)
    expect((await signIn(auth, email, PASSWORD, `::ffff:${HOME}`)).status).toBe(200)
  })
})

describe('a flood of requests for mails', () => {
  it('leaves the three latest links of a slot valid, and using one invalidates the others', async () => {
    const auth = await startForTest()
    const { email } = await signUp(auth)
    const tokens: string[] = []
    for (let count = 1; count <= 4; count += 1) {
      await post(auth, '/recover', { email }, HOME)
      await until('its mail arrives', () => auth.sink.to(email).length === count)
      tokens.push(auth.sink.to(email).at(-1)!.tokenHash)
    }
    const use = async (token: string) =>
      (await post(auth, '/verify', { type: 'recovery', token_hash: token }, HOME)).body.code ?? 'session'
    expect(await use(tokens[0]!)).toBe('otp_expired')
    expect(await use(tokens[1]!)).toBe('session')
    expect(await use(tokens[2]!)).toBe('otp_expired')
    expect(await use(tokens[3]!)).toBe('otp_expired')
  })

  it('leaves the codes of those mails valid', async () => {
    const auth = await startForTest()
    const email = newEmail()
    await post(auth, '/otp', { email }, HOME)
    const first = await auth.sink.latest(email)
    await post(auth, '/otp', { email }, HOME)
    await post(auth, '/otp', { email }, HOME)
    const answer = await post(auth, '/verify', { type: 'email', email, token: first.code }, HOME)
    expect(answer.body.user?.email).toBe(email)
  })
})
