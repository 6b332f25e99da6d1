import { bearerOf } from '@looptide/testkit/client'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PasswordHasher } from '../src/crypto/password-hasher.ts'
import { call, PASSWORD, signUp, startAuth, type TestAuth, VERSION } from './_harness.ts'

let auth: TestAuth
beforeAll(async () => {
  // One of the tests compares the times of sign-ins.
  auth = await startAuth({}, undefined, new PasswordHasher())
})
afterAll(() => auth.stop())

const refresh = (token: unknown, url = auth.url) =>
  call(`${url}/token?grant_type=refresh_token`, 'POST', { refresh_token: token })
const userWith = (token: string) =>
  call(`${auth.url}/user`, 'GET', undefined, { ...VERSION, ...bearerOf(token) })
const logout = (token: string, scope?: string) =>
  call(`${auth.url}/logout${scope === undefined ? '' : `?scope=${scope}`}`, 'POST', undefined, {
    ...VERSION,
    ...bearerOf(token),
  })
async function signIn(email: string, password = PASSWORD) {
  return call(`${auth.url}/token?grant_type=password`, 'POST', { email, password })
}
const sessionOf = (token: string) => String(decodeJwt(token).session_id)

async function access(): Promise<string[]> {
  const { body } = await call(`${auth.service.url}/internal/access`, 'GET', undefined, {
    'x-internal-token': 'an internal token for tests, long enough',
  })
  return body.revokedSessions.map(({ id }: { id: string }) => id)
}

describe('password sign-in', () => {
  it('starts a new session each time', async () => {
    const { email } = await signUp(auth)
    const [a, b] = [await signIn(email), await signIn(email)]
    expect([a.status, b.status]).toEqual([200, 200])
    expect(sessionOf(a.body.access_token)).not.toBe(sessionOf(b.body.access_token))
  })

  it('gets the same answer for a wrong password and an unknown email', async () => {
    const { email } = await signUp(auth)
    const wrong = await signIn(email, 'not the password')
    const unknown = await signIn('nobody@example.test')
    const invalid = await signIn('not an address')
    expect(wrong.status).toBe(400)
    expect(wrong.body).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body])
    expect([invalid.status, invalid.body]).toEqual([wrong.status, wrong.body])
  })

  it('takes as long for an unknown email as for a known one', async () => {
    const { email } = await signUp(auth)
    const times: Record<string, number[]> = { known: [], unknown: [] }
    for (let i = 0; i < 15; i += 1) {
      for (const [kind, tried] of [
        ['known', email],
        ['unknown', `nobody${i}@example.test`],
      ] as const) {
        const start = performance.now()
        await signIn(tried, 'not the password')
        times[kind]!.push(performance.now() - start)
      }
    }
    // The minimum of each, because other load on the machine only adds time.
    const known = Math.min(...times.known!)
    const unknown = Math.min(...times.unknown!)
    expect(unknown / known).toBeGreaterThan(0.4)
    expect(known / unknown).toBeGreaterThan(0.4)
  })

  it('fails for accounts without a password', async () => {
    const { email, user } = await signUp(auth)
    await auth.db.updateTable('users').set({ passwordHash: null }).where('id', '=', user.id).execute()
    expect((await signIn(email)).body.code).toBe('invalid_credentials')
  })
})

describe('refresh', () => {
  it('rotates the token and keeps the session', async () => {
    const first = await signUp(auth)
    const second = await refresh(first.refresh_token)
    const third = await refresh(second.body.refresh_token)
    expect([second.status, third.status]).toEqual([200, 200])
    expect(new Set([first.refresh_token, second.body.refresh_token, third.body.refresh_token]).size).toBe(3)
    expect(sessionOf(third.body.access_token)).toBe(sessionOf(first.access_token))
    expect(third.body.user.id).toBe(first.user.id)
  })

  it('answers concurrent requests with one token with the same successor', async () => {
    const { refresh_token: token } = await signUp(auth)
    const replica = await auth.startReplica()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => refresh(token, i % 2 === 0 ? auth.url : `${replica.url}/auth/v1`)),
    )
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map((answer) => answer.body.refresh_token)).size).toBe(1)
    expect((await refresh(answers[0]!.body.refresh_token)).status).toBe(200)
  })

  it('answers the parent of the active token with the active token, however late', async () => {
    const { refresh_token: first } = await signUp(auth)
    const second = (await refresh(first)).body.refresh_token
    auth.clock.advance(3 * 86_400_000)
    const lost = await refresh(first)
    expect(lost.status).toBe(200)
    expect(lost.body.refresh_token).toBe(second)
    expect(lost.body.expires_at * 1000).toBeGreaterThan(auth.clock.now())
    expect((await refresh(second)).status).toBe(200)
  })

  it('accepts a former token within the reuse interval', async () => {
    const { refresh_token: first } = await signUp(auth)
    const second = (await refresh(first)).body.refresh_token
    const third = (await refresh(second)).body.refresh_token
    auth.clock.advance(1000)
    const late = await refresh(first)
    expect([late.status, late.body.refresh_token]).toEqual([200, third])
  })

  it('with a former token after the interval ends its session and no other', async () => {
    const owner = await signUp(auth)
    const other = await signIn(owner.email)
    const second = (await refresh(owner.refresh_token)).body
    const third = (await refresh(second.refresh_token)).body
    auth.clock.advance(10_500)
    const stolen = await refresh(owner.refresh_token)
    expect(stolen.status).toBe(400)
    expect(stolen.body).toEqual({
      code: 'refresh_token_already_used',
      message: 'Invalid Refresh Token: Already Used',
    })
    for (const token of [third.refresh_token, second.refresh_token, owner.refresh_token]) {
      expect((await refresh(token)).body).toEqual({
        code: 'refresh_token_not_found',
        message: 'Invalid Refresh Token: Refresh Token Not Found',
      })
    }
    expect((await userWith(third.access_token)).body.code).toBe('session_not_found')
    expect((await refresh(other.body.refresh_token)).status).toBe(200)
    expect(await access()).toContain(sessionOf(third.access_token))
  })

  it('refuses tokens that this service did not issue', async () => {
    for (const token of [
      '',
      'short',
      'x'.repeat(54).concat('='),
      `${'a'.repeat(53)}!`,
      'x\0',
      7,
      null,
      undefined,
    ]) {
      const answer = await refresh(token)
      expect([answer.status, answer.body.code], String(token)).toEqual([400, 'validation_failed'])
    }
    const { refresh_token: token } = await signUp(auth)
    for (const forged of ['A'.repeat(54), `${token.slice(0, 30)}${'A'.repeat(24)}`]) {
      const answer = await refresh(forged)
      expect([answer.status, answer.body.code]).toEqual([400, 'refresh_token_not_found'])
    }
    expect((await refresh(token)).status).toBe(200)
  })

  it('ends a session that was not used for two months', async () => {
    const { refresh_token: token } = await signUp(auth)
    auth.clock.advance(61 * 86_400_000)
    expect((await refresh(token)).body.code).toBe('session_expired')
    expect((await refresh(token)).body.code).toBe('refresh_token_not_found')
  })

  it('ends a used session of somebody with a role after 30 days, unless a second factor was proved since', async () => {
    const DAY_MS = 86_400_000
    const [viewer, admin, proved] = await Promise.all([signUp(auth), signUp(auth), signUp(auth)])
    const grantedAt = new Date(auth.clock.now())
    for (const { user } of [admin, proved]) {
      const row = { userId: user.id, role: 'admin' as const, grantedBy: null, updatedAt: grantedAt }
      await auth.db.insertInto('userRoles').values(row).execute()
    }
    const tokens = [viewer, admin, proved].map((session) => session.refresh_token)
    for (const days of [10, 10, 9]) {
      auth.clock.advance(days * DAY_MS)
      for (const [index, token] of tokens.entries()) tokens[index] = (await refresh(token)).body.refresh_token
    }
    const factorVerifiedAt = new Date(auth.clock.now())
    await auth.db
      .updateTable('sessions')
      .set({ factorVerifiedAt })
      .where('userId', '=', proved.user.id)
      .execute()
    auth.clock.advance(DAY_MS)
    const answers = await Promise.all(tokens.map((token) => refresh(token)))
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([200, 'session_expired', 200])
  })

  it('stores no token in the database', async () => {
    const { refresh_token: token } = await signUp(auth)
    const rows = JSON.stringify(await auth.db.selectFrom('sessions').selectAll().execute())
    expect(rows).not.toContain(token)
    expect(rows).not.toContain(Buffer.from(token, 'base64url').subarray(20).toString('hex'))
  })
})

describe('signing out', () => {
  async function threeSessions() {
    const a = await signUp(auth)
    const b = (await signIn(a.email)).body
    const c = (await signIn(a.email)).body
    return [a.access_token, b.access_token, c.access_token] as [string, string, string]
  }
  const areValid = async (tokens: string[]) =>
    Promise.all(tokens.map(async (token) => (await userWith(token)).status === 200))

  it('with scope local ends this session', async () => {
    const tokens = await threeSessions()
    expect((await logout(tokens[1], 'local')).status).toBe(204)
    expect(await areValid(tokens)).toEqual([true, false, true])
  })

  it('with scope others ends all sessions but this', async () => {
    const tokens = await threeSessions()
    expect((await logout(tokens[1], 'others')).status).toBe(204)
    expect(await areValid(tokens)).toEqual([false, true, false])
  })

  it('with scope global, the default, ends all sessions and publishes it', async () => {
    for (const scope of ['global', undefined]) {
      const tokens = await threeSessions()
      expect((await logout(tokens[1], scope)).status).toBe(204)
      expect(await areValid(tokens)).toEqual([false, false, false])
      expect(await access()).toEqual(expect.arrayContaining(tokens.map(sessionOf)))
    }
  })

  it('refuses an unknown scope', async () => {
    const tokens = await threeSessions()
    const answer = await logout(tokens[0], 'world')
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
    expect(await areValid(tokens)).toEqual([true, true, true])
  })

  it('publishes events with at most a hundred sessions each', async () => {
    const viewer = await signUp(auth)
    const now = new Date(auth.clock.now())
    await auth.db
      .insertInto('sessions')
      .values(
        Array.from({ length: 249 }, () => ({
          id: crypto.randomUUID(),
          userId: viewer.user.id,
          counter: 1,
          tokenSalt: Buffer.alloc(16),
          method: 'password' as const,
          createdAt: now,
          refreshedAt: now,
          userAgent: null,
          ip: null,
        })),
      )
      .execute()
    const published: string[][] = []
    const events = await auth.listen('auth.session.revoked.v1')
    await logout(viewer.access_token)
    await auth.service.processAll()
    for (const event of await events.settled())
      if (event.data.userId === viewer.user.id) published.push(event.data.sessionIds)
    expect(published.map((ids) => ids.length)).toEqual([100, 100, 50])
    await events.stop()
  })
})

it('the access list omits sessions whose tokens have expired', async () => {
  const viewer = await signUp(auth)
  await logout(viewer.access_token)
  expect(await access()).toContain(sessionOf(viewer.access_token))
  auth.clock.advance(3_601_000)
  expect(await access()).not.toContain(sessionOf(viewer.access_token))
})

it('the access list is only served to internal callers', async () => {
  expect((await call(`${auth.service.url}/internal/access`, 'GET')).status).toBe(404)
})
