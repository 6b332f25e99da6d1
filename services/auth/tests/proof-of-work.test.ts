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

describe('a sign-up', () => {
  const signUpAt = (auth: TestAuth, email: string, path = 'signup', token?: string) =>
    call(
      `${auth.url}/${path}`,
      'POST',
      { email, password: PASSWORD, gotrue_meta_security: { captcha_token: token } },
      { ...VERSION, 'x-forwarded-for': IP },
    )

  it('requires a proof of work if the operator wants it, which the stock client can send', async () => {
    const auth = await start({ PROOF_OF_WORK: 'sign-up' })
    const email = newEmail()
    const refused = await signUpAt(auth, email)
    expect([refused.status, refused.body.code]).toEqual([400, 'captcha_failed'])
    const captchaToken = await solve(refused.body.challenge)
    expect((await signUpAt(auth, newEmail(), 'signup', captchaToken)).body.code).toBe('captcha_failed')
    expect((await signIn(auth, { email, token: captchaToken })).body.code).toBe('invalid_credentials')
    const client = new GoTrueClient({
      url: auth.url,
      storageKey: 'sign-up-proof',
      persistSession: false,
      autoRefreshToken: false,
      headers: { apikey: 'public', 'x-forwarded-for': IP },
    })
    const { data, error } = await client.signUp({ email, password: PASSWORD, options: { captchaToken } })
    expect([error, data.user?.email]).toEqual([null, email])
    // An account that exists is answered alike.
    const again = await signUpAt(auth, email, 'signup', captchaToken)
    expect([again.body.code, Object.keys(again.body)]).toEqual(['captcha_failed', Object.keys(refused.body)])
  })

  it('by magic link requires it too, a magic link for an existing account does not', async () => {
    const auth = await start({ PROOF_OF_WORK: 'sign-up' })
    const email = newEmail()
    const refused = await signUpAt(auth, email, 'otp')
    expect(refused.body.code).toBe('captcha_failed')
    expect((await signUpAt(auth, email, 'otp', await solve(refused.body.challenge))).status).toBe(200)
    const existing = await call(`${auth.url}/otp`, 'POST', { email: newEmail(), create_user: false }, VERSION)
    expect(existing.body.code).not.toBe('captcha_failed')
  })

  it('without a proof is limited by network', async () => {
    const auth = await start({ PROOF_OF_WORK: 'sign-up', RATE_LIMIT_FACTOR: '0.02' })
    const codes: string[] = []
    for (let index = 0; index < 7; index += 1) codes.push((await signUpAt(auth, newEmail())).body.code)
    expect(codes).toEqual([...Array(5).fill('captcha_failed'), ...Array(2).fill('over_request_rate_limit')])
  })

  it('and wrong passwords get no challenge if proofs are off', async () => {
    const auth = await start({ PROOF_OF_WORK: 'off', RATE_LIMIT_FACTOR: '1' })
    const { email } = await signUp(auth)
    for (let index = 0; index < 10; index += 1) await signIn(auth, { email })
    const { status, body } = await signIn(auth, { email })
    expect([status, body.challenge]).toEqual([429, undefined])
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
