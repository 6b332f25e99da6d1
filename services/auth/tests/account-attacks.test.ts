import { startRedis } from '@looptide/testkit/redis'
import { until } from '@looptide/testkit/until'
import { afterEach, describe, expect, it } from 'vitest'
import { PasswordHasher } from '../src/crypto/password-hasher.ts'
import { Vault } from '../src/crypto/vault.ts'
import { KeptRestrictions } from '../src/features/restrictions/kept-restrictions.ts'
import { ensureAdmin } from '../src/features/user-management/ensure-admin.ts'
import {
  type Answer,
  call,
  newEmail,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  type TestSession,
  VERSION,
} from './_util.ts'

const running: { stop(): Promise<void> }[] = []
async function start(...args: Parameters<typeof startAuth>): Promise<TestAuth> {
  const auth = await startAuth(...args)
  running.push(auth)
  return auth
}
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop()
})

const post = (
  auth: Pick<TestAuth, 'url'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) => call(`${auth.url}${path}`, 'POST', body, { ...VERSION, ...headers })
const signIn = (auth: Pick<TestAuth, 'url'>, email: string, password: string, from = '203.0.113.1') =>
  post(auth, '/token?grant_type=password', { email, password }, { 'x-forwarded-for': from })

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
    const auth = await start({ MAIL_CONFIRMATION: 'on' })
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
    const auth = await start({ MAIL_CONFIRMATION: 'on' })
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
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1', REDIS_URL: redis.url })
    running.push(redis)
    const replica = { url: `${(await auth.startReplica()).url}/auth/v1` }
    await until('Redis is in use', async () => {
      const answer = await signIn(auth, newEmail(), 'wrong', '203.0.113.99')
      return answer.status === 400
    })
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
  it('of one account from many IPs has ten attempts an hour; then the correct code is refused too', async () => {
    const auth = await start({ MAIL_CONFIRMATION: 'on' })
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
    const auth = await start({ RATE_LIMIT_FACTOR: '0.1' })
    const statuses: number[] = []
    for (let index = 0; index < 7; index += 1) {
      const body = { email: newEmail(), type: 'email', token: '123456' }
      statuses.push((await post(auth, '/verify', body)).status)
    }
    expect(statuses).toEqual([...Array(6).fill(403), 429])
  })
})

describe('a stolen refresh token', () => {
  it('that is used in parallel with the owner’s ends the session and its access tokens for both', async () => {
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

  const refresh = (
    auth: TestAuth,
    token: string,
    from: { ip: string; agent: string } = { ip: '203.0.113.1', agent: 'Owner/1' },
  ) =>
    post(
      auth,
      '/token?grant_type=refresh_token',
      { refresh_token: token },
      { 'x-forwarded-for': from.ip, 'user-agent': from.agent },
    )
  const thief = { ip: '198.51.100.9', agent: 'Thief/1' }
  const getUser = (auth: TestAuth, token: string) =>
    call(`${auth.url}/user`, 'GET', undefined, { ...VERSION, authorization: `Bearer ${token}` })

  it('that is the parent of the owner’s gets nothing, ends the session, and the owner is notified by mail', async () => {
    const auth = await start()
    const owner = await signUp(auth)
    const second = (await refresh(auth, owner.refresh_token)).body
    auth.clock.advance(11_000)
    const stolen = await refresh(auth, owner.refresh_token, thief)
    expect([stolen.status, stolen.body.code]).toEqual([400, 'refresh_token_already_used'])
    expect((await refresh(auth, second.refresh_token)).status).toBe(400)
    const notice = await until('the owner has a mail', () => auth.sink.to(owner.email)[0])
    expect(notice.raw).toContain('Content-Type: text/plain')
    expect(notice.raw).toContain('signed out')
    expect(notice.raw).not.toContain('text/html')
  })

  it('from the owner’s network and browser gets nothing after the owner used the new access token', async () => {
    const auth = await start()
    const owner = await signUp(auth)
    const second = (await refresh(auth, owner.refresh_token)).body
    expect((await getUser(auth, second.access_token)).status).toBe(200)
    auth.clock.advance(11_000)
    const stolen = await refresh(auth, owner.refresh_token)
    expect(stolen.body.code).toBe('refresh_token_already_used')
    expect((await getUser(auth, second.access_token)).body.code).toBe('session_not_found')
  })

  it('used alternately with the owner’s never works', async () => {
    const auth = await start()
    const owner = await signUp(auth)
    let [parent, active] = [owner.refresh_token, owner.refresh_token]
    let stolen = 0
    for (let attempt = 0; attempt < 5; attempt += 1) {
      auth.clock.advance(600_000)
      const own = await refresh(auth, active)
      if (own.status !== 200) break
      await getUser(auth, own.body.access_token)
      ;[parent, active] = [active, own.body.refresh_token]
      auth.clock.advance(600_000)
      if ((await refresh(auth, parent)).status === 200) stolen += 1
    }
    expect(stolen).toBe(0)
  })

  it('causes at most one mail an hour', async () => {
    const auth = await start()
    const { email } = await signUp(auth)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const session = (await signIn(auth, email, PASSWORD)).body
      await refresh(auth, session.refresh_token)
      auth.clock.advance(11_000)
      expect((await refresh(auth, session.refresh_token, thief)).status).toBe(400)
    }
    await post(auth, '/recover', { email })
    await auth.sink.latest(email, 'recovery')
    expect(auth.sink.to(email).filter((mail) => mail.type !== 'recovery')).toHaveLength(1)
  })
})

describe('an email that a stranger signed up first', () => {
  const A = 'the password of the attacker'
  const B = 'the password of the owner'
  const signsIn = async (auth: TestAuth, email: string, password: string) =>
    (await signIn(auth, email, password)).status === 200
  const nextMail = (auth: TestAuth, email: string, count: number) =>
    until(`mail number ${count} arrives`, () => auth.sink.to(email)[count - 1])
  const confirming = () => start({ MAIL_CONFIRMATION: 'on' })

  it('belongs to the sign-up whose mail is confirmed: its password works, the other does not', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory', role_hint: 'x' } })
    await nextMail(auth, email, 1)
    await post(auth, '/signup', { email, password: B, data: { full_name: 'Ada' } })
    const { tokenHash } = await nextMail(auth, email, 2)
    const { body } = await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    expect(body.user.user_metadata).toEqual({ full_name: 'Ada' })
    expect([await signsIn(auth, email, A), await signsIn(auth, email, B)]).toEqual([false, true])
    const me = await call(`${auth.service.url}/api/me`, 'GET', undefined, {
      authorization: `Bearer ${body.access_token}`,
    })
    expect(me.body.profile.handle).toMatch(/^ada_\d+$/)
  })

  it('has no password after its owner confirms the stranger’s sign-up from another network or browser', async () => {
    const auth = await confirming()
    const stranger = { 'x-forwarded-for': '203.0.113.7', 'user-agent': 'stranger' }
    for (const owner of [
      { ...stranger, 'x-forwarded-for': '198.51.100.9' },
      { ...stranger, 'user-agent': 'owner' },
    ]) {
      const email = newEmail()
      await post(auth, '/signup', { email, password: A, data: { full_name: 'Ada' } }, stranger)
      const { tokenHash } = await nextMail(auth, email, 1)
      const { status, body } = await post(auth, '/verify', { type: 'signup', token_hash: tokenHash }, owner)
      expect([status, await signsIn(auth, email, A)]).toEqual([200, false])
      const headers = { ...VERSION, authorization: `Bearer ${body.access_token}` }
      const me = await call(`${auth.service.url}/api/me`, 'GET', undefined, headers)
      expect(me.body.hasPassword).toBe(false)
      expect((await call(`${auth.url}/user`, 'PUT', { password: B }, headers)).status).toBe(200)
      expect([await signsIn(auth, email, A), await signsIn(auth, email, B)]).toEqual([false, true])
    }
  })

  it('keeps the password of a sign-up that is confirmed from its own network and browser', async () => {
    const auth = await confirming()
    const email = newEmail()
    const signUp = { 'x-forwarded-for': '2001:db8:1:2::1', 'user-agent': 'owner' }
    await post(auth, '/signup', { email, password: A }, signUp)
    await nextMail(auth, email, 1)
    // Requested again by a stranger on another network. The mail still belongs to the same sign-up.
    await post(auth, '/resend', { email, type: 'signup' }, { 'x-forwarded-for': '203.0.113.7' })
    const { tokenHash } = await nextMail(auth, email, 2)
    const confirmation = { ...signUp, 'x-forwarded-for': '2001:db8:1:2::99' }
    await post(auth, '/verify', { type: 'signup', token_hash: tokenHash }, confirmation)
    expect(await signsIn(auth, email, A)).toBe(true)
  })

  it('has no password after its owner confirms it with a magic link or recovery code', async () => {
    const auth = await confirming()
    for (const path of ['/otp', '/recover']) {
      const email = newEmail()
      await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory' } })
      await nextMail(auth, email, 1)
      await post(auth, path, { email })
      const { code } = await nextMail(auth, email, 2)
      const { body } = await post(auth, '/verify', { type: 'email', email, token: code })
      expect([path, body.user?.user_metadata]).toEqual([path, {}])
      expect([path, await signsIn(auth, email, A)]).toEqual([path, false])
      const headers = { ...VERSION, authorization: `Bearer ${body.access_token}` }
      expect((await call(`${auth.url}/user`, 'PUT', { password: B }, headers)).status).toBe(200)
      expect([path, await signsIn(auth, email, B)]).toEqual([path, true])
    }
  })

  it('is not taken over by a sign-up between the owner’s and a resent mail: the resent mail adopts no password', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: B })
    await nextMail(auth, email, 1)
    await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory' } })
    await nextMail(auth, email, 2)
    await post(auth, '/resend', { email, type: 'signup' })
    const { tokenHash } = await nextMail(auth, email, 3)
    const { body } = await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    expect(body.user.user_metadata).toEqual({})
    expect([await signsIn(auth, email, A), await signsIn(auth, email, B)]).toEqual([false, false])
  })

  it('keeps its password when its only sign-up is confirmed by a resent mail', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: B, data: { full_name: 'Ada' } })
    await nextMail(auth, email, 1)
    await post(auth, '/resend', { email, type: 'signup' })
    const { tokenHash } = await nextMail(auth, email, 2)
    const { body } = await post(auth, '/verify', { type: 'signup', token_hash: tokenHash })
    expect(body.user.user_metadata).toEqual({ full_name: 'Ada' })
    expect(await signsIn(auth, email, B)).toBe(true)
  })

  it('belongs to its owner when confirmation was switched off in the meantime', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory' } })
    await nextMail(auth, email, 1)
    await auth.restart({ MAIL_CONFIRMATION: 'off' })
    await post(auth, '/otp', { email })
    const { tokenHash } = await auth.sink.latest(email, 'magiclink')
    const { body } = await post(auth, '/verify', { type: 'magiclink', token_hash: tokenHash })
    expect(body.user.user_metadata).toEqual({})
    expect(await signsIn(auth, email, A)).toBe(false)
  })

  it('becomes an admin account with the password that the operator gave', async () => {
    const auth = await confirming()
    const email = newEmail()
    await post(auth, '/signup', { email, password: A, data: { full_name: 'Mallory' } })
    await ensureAdmin(auth.db, new PasswordHasher(), { email, password: B })
    expect([await signsIn(auth, email, A), await signsIn(auth, email, B)]).toEqual([false, true])
  })
})

/** A user who signed up before getting the role. */
async function staff(auth: TestAuth, role: 'admin' | 'moderator'): Promise<TestSession> {
  const viewer = await signUp(auth)
  const row = { userId: viewer.user.id, role, grantedBy: null, updatedAt: new Date() }
  await auth.db.insertInto('userRoles').values(row).execute()
  return viewer
}
const api = (auth: TestAuth, method: string, path: string, viewer?: TestSession, body?: unknown) =>
  call(`${auth.service.url}/api${path}`, method, body, viewer === undefined ? {} : { ...viewer.headers })

describe('a restriction', () => {
  const restrict = (auth: TestAuth, by: TestSession, userId: string, type: string, minutes?: number) =>
    api(auth, 'POST', `/users/${userId}/restrictions`, by, {
      restrictionType: type,
      reason: 'spam',
      ...(minutes !== undefined && {
        expiresAt: new Date(auth.clock.now() + minutes * 60_000).toISOString(),
      }),
    })
  const lift = (auth: TestAuth, by: TestSession, userId: string, id: string) =>
    api(auth, 'DELETE', `/users/${userId}/restrictions/${id}`, by)
  const deleteMe = (auth: TestAuth, viewer: TestSession) =>
    api(auth, 'DELETE', '/me', viewer, { password: PASSWORD })
  const restrictionsOf = async (auth: TestAuth, viewer: TestSession) =>
    (await api(auth, 'GET', '/me', viewer)).body.restrictions

  it('applies again when the account is deleted and created again, and is published', async () => {
    const auth = await start()
    const admin = await staff(auth, 'admin')
    const viewer = await signUp(auth)
    await restrict(auth, admin, viewer.user.id, 'chat_banned')
    expect((await deleteMe(auth, viewer)).status).toBe(204)
    const restricted = await auth.listen('auth.user.restricted.v1')
    const again = await signUp(auth, viewer.email)
    await auth.service.processAll()
    expect(await restrictionsOf(auth, again)).toEqual(['chat_banned'])
    expect(restricted.received().map((event) => event.data)).toMatchObject([
      { userId: again.user.id, restrictionType: 'chat_banned', reason: 'spam', expiresAt: null },
    ])
    await restricted.stop()
  })

  it('is not avoided by a tag in the email, and identifies no user while it is kept', async () => {
    const auth = await start()
    const admin = await staff(auth, 'admin')
    const viewer = await signUp(auth, 'evader@example.test')
    await restrict(auth, admin, viewer.user.id, 'chat_banned')
    await deleteMe(auth, viewer)
    const kept = await auth.db.selectFrom('keptRestrictions').selectAll().execute()
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain('evader')
    for (const email of ['evader+2@example.test', 'evader@example.test', 'Evader+3@example.test']) {
      expect(await restrictionsOf(auth, await signUp(auth, email))).toEqual(['chat_banned'])
    }
  })

  it('that was lifted on the new account does not return; a temporary one is not kept longer than it lasts', async () => {
    const auth = await start()
    const admin = await staff(auth, 'admin')
    const lifted = await signUp(auth)
    await restrict(auth, admin, lifted.user.id, 'restricted')
    await deleteMe(auth, lifted)
    const second = await signUp(auth, lifted.email)
    const { body } = await api(auth, 'GET', `/users?q=${encodeURIComponent(lifted.email)}`, admin)
    const [row] = body.items[0].restrictions
    expect(row.createdBy).toBe(admin.user.id)
    expect((await lift(auth, admin, second.user.id, row.id)).status).toBe(204)
    await deleteMe(auth, second)
    expect(await restrictionsOf(auth, await signUp(auth, lifted.email))).toEqual([])

    const timed = await signUp(auth)
    await restrict(auth, admin, timed.user.id, 'chat_banned', 10)
    await deleteMe(auth, timed)
    auth.clock.advance(11 * 60_000)
    await auth.housekeeping.run()
    expect(await auth.db.selectFrom('keptRestrictions').selectAll().execute()).toEqual([])
    expect(await restrictionsOf(auth, await signUp(auth, timed.email))).toEqual([])
  })

  it('from the site applies to a new account with the email and to a change to the email', async () => {
    const auth = await start({ MAIL_CONFIRMATION: 'on' })
    await ensureAdmin(auth.db, new PasswordHasher(), { email: 'admin@example.test', password: PASSWORD })
    const { body } = await signIn(auth, 'admin@example.test', PASSWORD)
    const admin: TestSession = { ...body, headers: { authorization: `Bearer ${body.access_token}` } }
    const email = newEmail()
    const { id } = (await post(auth, '/signup', { email, password: PASSWORD })).body
    expect((await restrict(auth, admin, id, 'site_banned')).status).toBe(201)
    auth.clock.advance(8 * 86_400_000)
    await auth.housekeeping.run()
    expect(await auth.db.selectFrom('users').selectAll().where('email', '=', email).execute()).toEqual([])

    const other = newEmail()
    await post(auth, '/signup', { email: other, password: PASSWORD })
    const mail = await auth.sink.latest(other, 'signup')
    const session = (await post(auth, '/verify', { type: 'signup', token_hash: mail.tokenHash })).body
    const headers = { ...VERSION, authorization: `Bearer ${session.access_token}` }
    await call(`${auth.url}/user`, 'PUT', { email }, headers)
    const answers: Answer[] = []
    for (const recipient of [other, email]) {
      const { tokenHash } = await auth.sink.latest(recipient, 'email_change')
      answers.push(await post(auth, '/verify', { type: 'email_change', token_hash: tokenHash }))
    }
    expect(answers.map(({ body }) => body.code)).toEqual(['200', 'user_banned'])
    expect((await call(`${auth.url}/user`, 'GET', undefined, headers)).body.code).toBe('session_not_found')
  })

  it('from the site refuses a sign-up without confirmation, and creates no account', async () => {
    const auth = await start()
    const admin = await staff(auth, 'admin')
    const viewer = await signUp(auth)
    await restrict(auth, admin, viewer.user.id, 'site_banned')
    // A banned user cannot delete the account, but the operator can.
    const keptRestrictions = new KeptRestrictions(new Vault(auth.config.keySecret))
    await auth.db.transaction().execute(async (trx) => {
      await keptRestrictions.keep(trx, [{ id: viewer.user.id, email: viewer.email }], new Date())
      await trx.deleteFrom('users').where('id', '=', viewer.user.id).execute()
    })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { body } = await post(auth, '/signup', { email: viewer.email, password: PASSWORD })
      expect(body.code).toBe('user_banned')
    }
    const users = await auth.db.selectFrom('users').select('id').where('email', '=', viewer.email).execute()
    expect(users).toEqual([])
  })

  it('cannot be lifted by moderators on themselves, nor if an admin set it, nor by replacing it first', async () => {
    const auth = await start()
    const [admin, moderator, colleague] = [
      await staff(auth, 'admin'),
      await staff(auth, 'moderator'),
      await staff(auth, 'moderator'),
    ]
    const own = (await restrict(auth, admin, moderator.user.id, 'chat_banned', 10)).body
    const refusal = await lift(auth, moderator, moderator.user.id, own.id)
    expect([refusal.status, refusal.body.message]).toEqual([
      403,
      'You cannot lift a restriction on yourself.',
    ])
    const ofAdmin = await lift(auth, colleague, moderator.user.id, own.id)
    expect([ofAdmin.status, ofAdmin.body.message]).toEqual([
      403,
      'This restriction was set by an admin. Only an admin can change it.',
    ])
    const viewer = await signUp(auth)
    const ban = (await restrict(auth, admin, viewer.user.id, 'chat_banned', 10)).body
    expect((await restrict(auth, moderator, viewer.user.id, 'chat_banned', 60)).status).toBe(403)
    expect((await lift(auth, moderator, viewer.user.id, ban.id)).status).toBe(403)
    // The admin who set it may have lost the role in the meantime.
    await auth.db.deleteFrom('userRoles').where('userId', '=', admin.user.id).execute()
    expect((await lift(auth, moderator, viewer.user.id, ban.id)).status).toBe(403)
    for (const target of [moderator, colleague]) {
      expect((await restrict(auth, moderator, target.user.id, 'chat_banned', 10)).status).toBeGreaterThan(400)
    }
    const timedOut = await signUp(auth)
    const timeOut = (await restrict(auth, colleague, timedOut.user.id, 'chat_banned', 10)).body
    expect((await lift(auth, moderator, timedOut.user.id, timeOut.id)).status).toBe(204)
  })
})

describe('a misleading name', () => {
  const rename = (auth: TestAuth, viewer: TestSession, change: object) =>
    api(auth, 'PATCH', `/profiles/${viewer.user.id}`, viewer, change)

  it('is refused as a display name, with the reason: look-alikes of roles, of the station, of staff, mixed alphabets', async () => {
    const auth = await start({ BRAND_NAME: 'Loop & Tide TV' })
    const moderator = await staff(auth, 'moderator')
    expect((await rename(auth, moderator, { artistName: 'Grace Hopper' })).status).toBe(200)
    const known = await signUp(auth)
    await rename(auth, known, { handle: 'ada_lovelace' })
    const viewer = await signUp(auth)
    for (const artistName of [
      '\u0410dmin',
      'Ad\u200bmin',
      '\u202enimdA is Admin',
      'Looptide Staff',
      'Loop&Tide TV',
      'L\u043e\u043eptide',
      'M0derator',
      '\uff21\uff44\uff4d\uff49\uff4e',
      'Official Support',
      'Gr\u00e1ce Hopper',
      'GRACE  H0PPER',
      'adа_lovelace',
      'ada_love1ace',
      'P\u0430ula',
      'a\u0301\u0301\u0301\u0301\u0301\u0301',
    ]) {
      const { status, body } = await rename(auth, viewer, { artistName })
      expect([artistName, status, body.code]).toEqual([artistName, 400, 'validation_failed'])
      expect(body.details).toEqual([{ path: '/artistName', message: body.message }])
    }
  })

  it('is stored without invisible characters', async () => {
    const auth = await start()
    const viewer = await signUp(auth)
    const name = async (artistName: string) => (await rename(auth, viewer, { artistName })).body.artistName
    expect(await name(' Zo\u00eb\u200b \u202e \u0007 Keats ')).toBe('Zo\u00eb Keats')
    expect(await name('\u2066\u200d\u2069')).toBeNull()
    for (const valid of [
      '坂本龍一 Ryuichi',
      'Пётр Чайковский',
      'فيروز',
      'Sound System',
      'Badminton Club',
      '🎧 DJ 99',
    ]) {
      expect(await name(valid)).toBe(valid)
    }
  })

  it('is refused as a handle that looks like another one, and the availability check agrees', async () => {
    const auth = await start()
    const known = await signUp(auth)
    await rename(auth, known, { handle: 'Modern_Bill' })
    const viewer = await signUp(auth)
    for (const handle of [
      'modern_biII',
      'm0dern_bill',
      'rnodern_bill',
      'the_admin',
      'LooptideTV',
      'adm1n',
      'm0d',
    ]) {
      const { status, body } = await rename(auth, viewer, { handle })
      expect([handle, status, body.code]).toEqual([handle, 409, 'handle_taken'])
      const check = await api(auth, 'GET', `/profiles/handles/${handle}`, viewer)
      expect(check.body).toEqual({ handle, available: false })
    }
    expect((await rename(auth, known, { handle: 'modern_Bill' })).body.handle).toBe('modern_Bill')
  })

  it('at sign-up gets a neutral handle, and the sign-up succeeds', async () => {
    const auth = await start()
    for (const name of ['Admin', 'Looptide Staff', '\u0410dmin', 'Official']) {
      const { status, body } = await post(auth, '/signup', {
        email: newEmail(),
        password: PASSWORD,
        data: { full_name: name },
      })
      expect(status).toBe(200)
      const profile = await api(auth, 'GET', `/profiles/${body.user.id}`)
      expect(profile.body.handle).toMatch(/^(viewer|dmin)_\d+$/)
    }
  })

  it('from before these rules is kept until it is changed', async () => {
    const auth = await start()
    const viewer = await signUp(auth)
    const old = { handle: 'admin_fan', artistName: 'Admin', handleSkeleton: null }
    await auth.db.updateTable('profiles').set(old).where('userId', '=', viewer.user.id).execute()
    const kept = { handle: 'admin_fan', artistName: 'Admin' }
    expect((await rename(auth, viewer, { ...kept, avatarUrl: null })).body).toMatchObject(kept)
    expect((await rename(auth, viewer, { artistName: 'Admin 2' })).status).toBe(400)
  })
})

describe('a page of another site', () => {
  it('cannot use the session of a user: no cookie is set or read, and credentials are not allowed', async () => {
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
