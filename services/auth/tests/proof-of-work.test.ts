import { GoTrueClient } from '@supabase/auth-js'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import {
  type Answer,
  call,
  newEmail,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  VERSION,
} from './_harness.ts'

const running: { stop(): Promise<void> }[] = []
async function start(env: Record<string, string> = { RATE_LIMIT_FACTOR: '1' }): Promise<TestAuth> {
  const auth = await startAuth(env)
  running.push(auth)
  return auth
}
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop()
})

const IP = '192.0.2.50'
interface Attempt {
  email: string
  password?: string
  from?: string
  token?: unknown
}
const signIn = (auth: TestAuth, { email, password = 'wrong', from = IP, token }: Attempt): Promise<Answer> =>
  call(
    `${auth.url}/token?grant_type=password`,
    'POST',
    { email, password, gotrue_meta_security: { captcha_token: token } },
    { ...VERSION, 'x-forwarded-for': from },
  )

/** Sends wrong passwords until the limit of a network is reached. Returns the first challenge. */
async function challengeFor(auth: TestAuth, email: string, from = IP): Promise<Challenge> {
  for (let index = 0; index < 12; index += 1) {
    const answer = await signIn(auth, { email, from })
    if (answer.status === 429) return answer.body.challenge
  }
  throw new Error('the limit was not reached')
}
async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
}

describe('a client over the limit of an account', () => {
  it('may sign in with a proof of work, which the stock client sends as its captcha token', async () => {
    const auth = await start()
    const { email } = await signUp(auth)
    const captchaToken = await solve(await challengeFor(auth, email))
    const client = new GoTrueClient({
      url: auth.url,
      storageKey: 'proof',
      persistSession: false,
      autoRefreshToken: false,
      headers: { apikey: 'public', 'x-forwarded-for': IP },
    })
    const refused = await client.signInWithPassword({ email, password: PASSWORD })
    expect(refused.error).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
    const { data, error } = await client.signInWithPassword({
      email,
      password: PASSWORD,
      options: { captchaToken },
    })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
  })

  it('gets the same challenge for an unknown email', async () => {
    const auth = await start()
    const { email } = await signUp(auth)
    const known = await challengeFor(auth, email, '192.0.2.51')
    const unknown = await challengeFor(auth, 'nobody@example.test', '192.0.2.51')
    const shape = ({ parameters, signature }: Challenge) => ({
      ...parameters,
      nonce: parameters.nonce.length,
      salt: parameters.salt.length,
      data: Object.keys(parameters.data ?? {}),
      expiresAt: typeof parameters.expiresAt,
      signature: signature?.length,
    })
    expect(shape(unknown)).toEqual(shape(known))
  })

  it('gets more work the more often the limit was exceeded, up to a maximum', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const email = newEmail()
    const workOf = ({ parameters }: Challenge): number => parameters.cost * 16 ** parameters.keyPrefix.length
    const work: number[] = []
    for (let index = 0; index < 200; index += 1) {
      const { body } = await signIn(auth, { email, from: `10.0.${index}.1` })
      if (body.challenge !== undefined) work.push(workOf(body.challenge))
    }
    expect(work).toEqual([...work].sort((a, b) => a - b))
    expect(work[0]).toBe(500 * 16 ** 2)
    expect(work[3]).toBe(work[0]! * 4)
    expect(work.at(-1)).toBe(work[0]! * 2 ** 7)
  })

  it('has thirty attempts with proofs in a quarter of an hour', async () => {
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const email = newEmail()
    const outcomes: string[] = []
    for (let index = 0; index < 5; index += 1) {
      const { body } = await signIn(auth, { email })
      const answer = await signIn(auth, {
        email,
        ...(body.challenge === undefined ? {} : { token: await solve(body.challenge) }),
      })
      outcomes.push(answer.body.code)
      if (answer.body.challenge !== undefined) outcomes.push('challenge')
    }
    // With a tenth of the limits: one attempt without a proof, then three with proofs.
    expect(outcomes.filter((outcome) => outcome === 'invalid_credentials')).toHaveLength(3)
    expect(outcomes.at(-1)).toBe('over_request_rate_limit')
  })
})

describe('a proof of work', () => {
  it('is accepted once', async () => {
    const auth = await start()
    const email = newEmail()
    const token = await solve(await challengeFor(auth, email))
    const both = await Promise.all([signIn(auth, { email, token }), signIn(auth, { email, token })])
    expect(both.map(({ status }) => status).sort()).toEqual([400, 429])
    expect((await signIn(auth, { email, token })).status).toBe(429)
  })

  it('is accepted for its account and its network only', async () => {
    const auth = await start()
    const [email, other] = [newEmail(), newEmail()]
    const token = await solve(await challengeFor(auth, email))
    await challengeFor(auth, other)
    await challengeFor(auth, email, '192.0.2.60')
    expect((await signIn(auth, { email: other, token })).status).toBe(429)
    expect((await signIn(auth, { email, token, from: '192.0.2.60' })).status).toBe(429)
    expect((await signIn(auth, { email, token })).status).toBe(400)
  })

  it('is accepted for five minutes', async () => {
    const auth = await start()
    const email = newEmail()
    const token = await solve(await challengeFor(auth, email))
    auth.clock.advance(301_000)
    expect((await signIn(auth, { email, token })).status).toBe(429)
  })

  it('is refused with any part altered', async () => {
    const auth = await start()
    const email = newEmail()
    const proof = JSON.parse(
      Buffer.from(await solve(await challengeFor(auth, email)), 'base64').toString(),
    ) as { challenge: { parameters: Record<string, unknown>; signature: string }; solution: object }
    const { challenge, solution } = proof
    const altered = (parameters: object) => ({
      challenge: { ...challenge, parameters: { ...challenge.parameters, ...parameters } },
      solution,
    })
    const forgeries: unknown[] = [
      altered({ cost: 1 }),
      altered({ keyPrefix: '0' }),
      altered({ expiresAt: Number(challenge.parameters.expiresAt) + 60 }),
      altered({ algorithm: 'SHA-256' }),
      altered({ keyLength: 1_000_000 }),
      { challenge: { ...challenge, signature: '0'.repeat(64) }, solution },
      { challenge, solution: { ...solution, counter: 1 } },
      { challenge, solution: { ...solution, derivedKey: '0'.repeat(64) } },
      { challenge },
      null,
    ]
    for (const forgery of forgeries) {
      const token = Buffer.from(JSON.stringify(forgery)).toString('base64')
      expect([forgery, (await signIn(auth, { email, token })).status]).toEqual([forgery, 429])
    }
  })

  it('of any other content is refused without a server error', async () => {
    const auth = await start()
    const email = newEmail()
    await challengeFor(auth, email)
    const anything = fc.oneof(
      fc.string({ maxLength: 6000 }),
      fc.json().map((json) => Buffer.from(json).toString('base64')),
      fc
        .anything()
        .map((value) =>
          value === undefined ? null : (JSON.parse(JSON.stringify(value ?? null) ?? 'null') as unknown),
        ),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (token) => {
        const { status } = await signIn(auth, { email, token })
        expect([400, 429]).toContain(status)
      }),
      { numRuns: 80 },
    )
  })
})
