import { createHash } from 'node:crypto'
import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { PostgresQueryCompiler } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { rulesFor } from '../src/features/limits/rules.ts'
import { nextCode, requestsOf, withFactor } from './_authenticator.ts'
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
import { startForTest, stopAfterTest } from './_per-test.ts'
import { startWithProvider } from './_providers.ts'
import { signIn } from './_requests.ts'

/** The network that an account's owner signed in from; one that the account does not know; that of a stranger. */
const [HOME, HOTEL, STRANGER] = ['198.51.100.7', '198.51.100.99', '192.0.2.66']
const SERVICE_KEY = 'a-service-key-for-tests-that-is-long-enough'
/** Statements on tables that depend on an account, and what their commits wait for. */
const ACCOUNT_TABLES =
  /synchronous_commit|users|sign_ins|one_time_tokens|earlier_tokens|account_networks|user_restrictions/

type Headers = Record<string, string>
const post = (auth: TestAuth, path: string, body: object, from: string, headers: Headers = {}) =>
  call(`${auth.url}${path}`, 'POST', body, { ...VERSION, 'x-forwarded-for': from, ...headers })
const recover = (auth: TestAuth, email: string, from: string) => post(auth, '/recover', { email }, from)

/** An account whose owner has signed in from {@link HOME}. */
async function owner(auth: TestAuth) {
  const session = await signUp(auth)
  const { body } = await signIn(auth, session.email, PASSWORD, HOME)
  return { ...session, headers: bearerOf(body.access_token) }
}

/** Sends a request that is refused with a challenge, and then with its solution. Returns both answers. */
async function withProof(
  send: (proof: object) => Promise<Answer>,
): Promise<[refused: Answer, answer: Answer]> {
  const refused = await send({})
  const challenge: Challenge = refused.body.challenge
  const solution = await solveChallenge({ challenge, deriveKey })
  const token = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  return [refused, await send({ gotrue_meta_security: { captcha_token: token } })]
}
const many = async (count: number, send: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < count; index += 1) await send(index)
}

/** One station for the tests of a block. They do not share networks, mailboxes or the limits of the station. */
function station(env: Record<string, string>): () => TestAuth {
  let auth: TestAuth
  beforeAll(async () => {
    auth = await startAuth(env)
  })
  afterAll(() => auth.stop())
  return () => auth
}

describe('a stranger who uses up the sign-ups and mails of a minute', () => {
  const auth = station({
    RATE_LIMIT_FACTOR: '1',
    SIGN_UPS_PER_MINUTE: '8',
    MAILS_PER_MINUTE: '6',
    ANONYMOUS_SIGN_IN: 'on',
    AUTH_SERVICE_KEY: SERVICE_KEY,
  })

  it('leaves the owner of an account their mail at home, and elsewhere for a proof of work', async () => {
    const { email } = await owner(auth())
    await many(8, (index) => recover(auth(), newEmail(), `192.0.${index}.1`))
    expect((await recover(auth(), newEmail(), '192.0.99.1')).body.code).toBe('over_email_send_rate_limit')
    expect((await recover(auth(), email, HOME)).status).toBe(200)
    const [refused, answer] = await withProof((proof) => post(auth(), '/recover', { email, ...proof }, HOTEL))
    expect([refused.body.code, answer.status]).toEqual(['over_email_send_rate_limit', 200])
  })

  it('leaves the operator their invitations', async () => {
    const email = newEmail()
    await many(3, () => post(auth(), '/resend', { type: 'signup', email }, STRANGER))
    const headers = bearerOf(SERVICE_KEY)
    await many(2, async () =>
      expect((await post(auth(), '/invite', { email }, HOME, headers)).status).toBe(200),
    )
  })

  it('leaves others their sign-up for a proof of work, with and without an email', async () => {
    await many(8, (index) =>
      post(auth(), '/signup', { email: newEmail(), password: PASSWORD }, `192.0.2.${index % 2}`),
    )
    const email = newEmail()
    const [refused, answer] = await withProof((proof) =>
      post(auth(), '/signup', { email, password: PASSWORD, ...proof }, HOME),
    )
    expect([refused.status, refused.body.code]).toEqual([429, 'over_request_rate_limit'])
    expect([answer.status, answer.body.user.email]).toEqual([200, email])
    const [, anonymous] = await withProof((proof) => post(auth(), '/signup', { data: {}, ...proof }, HOME))
    expect(anonymous.body.user.is_anonymous).toBe(true)
  })
})

it('one network uses up a part of the mails of a day, and many networks leave others theirs', async () => {
  const auth = await startForTest({ RATE_LIMIT_FACTOR: '1', MAILS_PER_DAY: '6' })
  const { email } = await owner(auth)
  const codes: unknown[] = []
  await many(7, async () => codes.push((await recover(auth, newEmail(), STRANGER)).body.code))
  expect(codes).toEqual([...Array(5).fill(undefined), ...Array(2).fill('over_request_rate_limit')])
  expect((await recover(auth, newEmail(), '192.0.98.1')).status).toBe(200)
  expect((await recover(auth, newEmail(), '192.0.99.1')).body.code).toBe('over_email_send_rate_limit')
  expect((await recover(auth, email, HOME)).status).toBe(200)
  const [, answer] = await withProof((proof) => post(auth, '/recover', { email, ...proof }, HOTEL))
  expect(answer.status).toBe(200)
  // A stranger behind the owner's address.
  const { email: neighbour } = await owner(auth)
  await many(5, () => recover(auth, newEmail(), HOME))
  expect((await recover(auth, newEmail(), HOME)).body.challenge).toBeUndefined()
  const [refused, paid] = await withProof((proof) =>
    post(auth, '/recover', { email: neighbour, ...proof }, HOME),
  )
  expect([refused.body.code, paid.status]).toEqual(['over_request_rate_limit', 200])
})

describe('a stranger who uses up the mails of a mailbox', () => {
  const auth = station({ RATE_LIMIT_FACTOR: '1' })

  it('leaves its owner theirs at home, and elsewhere for a proof of work', async () => {
    const { email } = await owner(auth())
    expect((await recover(auth(), email, STRANGER)).status).toBe(200)
    expect((await recover(auth(), email, HOME)).status).toBe(200)
    const [refused, answer] = await withProof((proof) => post(auth(), '/recover', { email, ...proof }, HOTEL))
    expect([refused.status, refused.body.code]).toEqual([429, 'over_email_send_rate_limit'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.status).toBe(200)
    expect((await recover(auth(), email, HOME)).body.code).toBe('over_email_send_rate_limit')
  })

  it('sends five with proofs in an hour', async () => {
    const email = newEmail()
    await recover(auth(), email, STRANGER)
    const statuses: number[] = []
    await many(6, async () => {
      const [, answer] = await withProof((proof) => post(auth(), '/recover', { email, ...proof }, STRANGER))
      statuses.push(answer.status)
    })
    expect(statuses).toEqual([...Array(5).fill(200), 429])
  })

  it('does not prevent a change to or from it', async () => {
    const { email, headers } = await owner(auth())
    const next = newEmail()
    const other = await signUp(auth())
    await call(`${auth().url}/user`, 'PUT', { email: next }, { ...VERSION, ...other.headers })
    await post(auth(), '/resend', { type: 'email_change', email }, STRANGER)
    const [refused, answer] = await withProof((proof) =>
      call(`${auth().url}/user`, 'PUT', { email: next, ...proof }, { ...VERSION, ...headers }),
    )
    expect([refused.body.code, answer.body.new_email]).toEqual(['over_email_send_rate_limit', next])
  })

  it('does not prevent its owner from getting a code for a new password, for a whole day', async () => {
    const { email } = await signUp(auth())
    await many(12, async (index) => {
      await recover(auth(), email, `192.0.3.${index}`)
      auth().clock.advance(4 * 3_600_000 - 60_000)
    })
    const { body } = await signIn(auth(), email, PASSWORD, HOTEL)
    const headers = { ...VERSION, ...bearerOf(body.access_token), 'x-forwarded-for': HOTEL }
    expect((await call(`${auth().url}/reauthenticate`, 'GET', undefined, headers)).status).toBe(200)
  })
})

it('a mailbox without an account costs its owner a proof of work after a stranger’s mail', async () => {
  const auth = await startForTest({ RATE_LIMIT_FACTOR: '1', MAIL_CONFIRMATION: 'on' })
  for (const [path, body] of [
    ['/signup', { password: PASSWORD }],
    ['/otp', {}],
    ['/resend', { type: 'signup' }],
  ] as const) {
    const email = newEmail()
    await post(auth, '/resend', { type: 'signup', email }, STRANGER)
    const [refused, answer] = await withProof((proof) =>
      post(auth, path, { email, ...body, ...proof }, HOTEL),
    )
    expect([path, refused.body.code, answer.status]).toEqual([path, 'over_email_send_rate_limit', 200])
  }
})

describe('a stranger who', () => {
  const auth = station({})

  it('uses up the wrong codes of an account leaves the owner theirs at home', async () => {
    const { email } = await owner(auth())
    await recover(auth(), email, HOME)
    const { code } = await auth().sink.latest(email, 'recovery')
    const wrong = code === '123456' ? '654321' : '123456'
    const verify = (from: string, token = code) =>
      post(auth(), '/verify', { type: 'recovery', email, token }, from)
    await many(11, (index) => verify(`192.0.2.${index}`, wrong))
    expect((await verify(HOTEL)).body.code).toBe('otp_expired')
    await many(9, () => verify(HOME, wrong))
    expect((await verify(HOME)).body.user?.email).toBe(email)
    await recover(auth(), email, HOME)
    const next = await auth().sink.latest(email, 'recovery')
    await many(10, () => verify(HOME, next.code === wrong ? '111111' : wrong))
    expect((await verify(HOME, next.code)).body.code).toBe('otp_expired')
  })

  it('uses up the wrong codes of an account leaves the owner those of a change of the password', async () => {
    const { email, headers } = await owner(auth())
    await recover(auth(), email, STRANGER)
    await many(11, () => post(auth(), '/verify', { type: 'recovery', email, token: '000000' }, STRANGER))
    await auth()
      .db.updateTable('sessions')
      .set({ createdAt: new Date(0) })
      .execute()
    const before = auth().sink.to(email).length
    await call(`${auth().url}/reauthenticate`, 'GET', undefined, { ...VERSION, ...headers })
    await until('the code arrives', () => auth().sink.to(email).length > before)
    const change = { password: 'another good passphrase', nonce: auth().sink.to(email).at(-1)!.code }
    expect((await call(`${auth().url}/user`, 'PUT', change, { ...VERSION, ...headers })).status).toBe(200)
  })

  it('requests many links leaves those valid that the owner requested', async () => {
    const { email } = await owner(auth())
    await recover(auth(), email, HOME)
    const { tokenHash } = await auth().sink.latest(email, 'recovery')
    await many(4, () => recover(auth(), email, STRANGER))
    const answer = await post(auth(), '/verify', { type: 'recovery', token_hash: tokenHash }, HOTEL)
    expect(answer.status).toBe(200)
  })

  it('sends a wrong code or password makes Postgres do the same for every email', async () => {
    const [{ email }, requested, blocked] = [await owner(auth()), await owner(auth()), await owner(auth())]
    for (const { email: to } of [requested, blocked]) await recover(auth(), to, STRANGER)
    const verify = (to: string) =>
      post(auth(), '/verify', { type: 'recovery', email: to, token: '000000' }, STRANGER)
    const guess = (to: string) => signIn(auth(), to, 'not the password', STRANGER)
    const compile = vi.spyOn(PostgresQueryCompiler.prototype, 'compileQuery')
    const texts = (): string[] =>
      compile.mock.results
        .map(({ value }) => (value as { sql: string }).sql)
        .filter((text) => ACCOUNT_TABLES.test(text))
    /** Refused sign-ins are recorded after the answer. */
    const isRecorded = (): boolean => {
      const count = (start: string) => texts().filter((text) => text.startsWith(start)).length
      return count('insert into sign_ins') === count('delete from sign_ins')
    }
    const statementsOf = async (send: () => Promise<Answer>): Promise<string[]> => {
      const before = texts().length
      expect((await send()).body.code).toMatch(/otp_expired|invalid_credentials/)
      await until('the attempt is recorded', () => texts().length > before && isRecorded())
      return texts().slice(before)
    }
    try {
      await many(11, () => statementsOf(() => verify(blocked.email)))
      for (const send of [verify, guess]) {
        const unknown = await statementsOf(() => send(newEmail()))
        expect(unknown.length).toBeGreaterThan(2)
        // A commit that writes would take longer than one that does not.
        expect(unknown.includes('set local synchronous_commit to off')).toBe(send === verify)
        for (const to of [email, requested.email, blocked.email]) {
          expect(await statementsOf(() => send(to))).toEqual(unknown)
        }
      }
    } finally {
      compile.mockRestore()
    }
  })
})

it('a stranger who uses up the sign-ups leaves others their first sign-in at a provider, with the same code', async () => {
  const { auth, locationOf, land, codeOf, newLogin, stop } = await startWithProvider(
    {},
    { RATE_LIMIT_FACTOR: '1', SIGN_UPS_PER_MINUTE: '1' },
  )
  stopAfterTest({ stop })
  await post(auth, '/signup', { email: newEmail(), password: PASSWORD }, STRANGER)
  const verifier = 'v'.repeat(43)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = `provider=company&code_challenge=${challenge}&code_challenge_method=s256`
  const login = newLogin()
  const code = codeOf(await land((await locationOf(`${auth.url}/authorize?${query}`)).href, login))
  const [refused, answer] = await withProof((proof) =>
    post(auth, '/token?grant_type=pkce', { auth_code: code, code_verifier: verifier, ...proof }, HOME),
  )
  expect([refused.status, refused.body.code]).toEqual([429, 'over_request_rate_limit'])
  expect([answer.status, answer.body.user.email]).toEqual([200, login])
})

it('a stranger who knows the password and uses up the codes of the second factor leaves the owner theirs at home', async () => {
  const auth = await startForTest({ RATE_LIMIT_FACTOR: '0.1' })
  const session = await signUp(auth)
  const { id, secret } = await withFactor(auth, session)
  const from = async (ip: string, code: string) => {
    const { body } = await signIn(auth, session.email, PASSWORD, ip)
    return (await requestsOf(auth, body.access_token, ip).verify(id, code)).status
  }
  expect(await from(HOME, nextCode(auth, secret))).toBe(200)
  await many(6, async (index) => expect(await from(`192.0.4.${index}`, '000000')).toBe(422))
  expect(await from(HOTEL, nextCode(auth, secret))).toBe(429)
  expect(await from(HOME, nextCode(auth, secret))).toBe(200)
  // Those of the sign-up, of the app and HOME: the password alone makes no network known.
  expect(await auth.db.selectFrom('accountNetworks').select('userId').execute()).toHaveLength(3)
})

it('every limit is counted by network, or by what only its user can use up, or is simulated above', () => {
  const simulated = ['station-sign-ups', 'station-mails', 'station-mails-daily', 'factor-account']
  // Simulated in lock-out.test.ts and proof-of-work.test.ts.
  const byAccount = ['password-account']
  const byPerson = [
    'device-guess-account',
    'update-account',
    'identity-account',
    'passkey-account',
    'personal-token-account',
    'reauthentication-account',
    'refresh-session',
    // A random signature.
    'proof-used',
  ]
  const station = { signUpsPerMinute: 1, mailsPerMinute: 1, mailsPerDay: 1 }
  const shared = [...rulesFor(station, 1)].flatMap(([name, rule]) => (rule.byNetwork ? [] : [name]))
  expect(shared.sort()).toEqual([...simulated, ...byAccount, ...byPerson].sort())
})
