import { randomUUID } from 'node:crypto'
import { until } from '@looptide/testkit/until'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PasswordHasher } from '../src/crypto/password-hasher.ts'
import { ensureAdmin } from '../src/features/people/ensure-admin.ts'
import { lockAdmins } from '../src/features/people/role-service.ts'
import {
  call,
  newAddress,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  type TestSession,
  VERSION,
} from './_util.ts'

let auth: TestAuth
let admin: TestSession
beforeAll(async () => {
  auth = await startAuth()
  admin = await staff('admin')
})
afterAll(() => auth.stop())
beforeEach(() => {
  auth.guard.asked.length = 0
  auth.guard.refusal = undefined
})

const api = (method: string, path: string, person?: TestSession, body?: unknown) =>
  call(`${auth.service.url}/api${path}`, method, body, person === undefined ? {} : { ...person.headers })
const signIn = (email: string) =>
  call(`${auth.url}/token?grant_type=password`, 'POST', { email, password: PASSWORD })

async function staff(role: 'admin' | 'moderator'): Promise<TestSession> {
  const person = await signUp(auth)
  await auth.db
    .insertInto('userRoles')
    .values({ userId: person.user.id, role, grantedBy: null, updatedAt: new Date() })
    .execute()
  return person
}

/** Sends requests that all wait for the lock on the list of admins before one of them goes on; answers their results. */
async function whileAdminsAreLocked<T>(count: number, send: () => Promise<T>[]): Promise<T[]> {
  const sent = await auth.db.transaction().execute(async (trx) => {
    await lockAdmins(trx)
    const requests = send()
    await until('all of them wait for the lock', async () => {
      const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(auth.db)
      return rows[0]?.waiting === count
    })
    return { requests }
  })
  return Promise.all(sent.requests)
}

/** What the outbox carried of a type since `listen`, for one person. */
async function during<T>(type: Parameters<TestAuth['listen']>[0], work: () => Promise<T>) {
  const heard = await auth.listen(type)
  const result = await work()
  await auth.service.processAll()
  await heard.stop()
  return { result, events: heard.taken() }
}

describe('profiles', () => {
  it('are made at registration, with a handle of their own that is not the address', async () => {
    const email = newAddress()
    const { events } = await during('auth.user.registered.v1', async () => {
      await call(`${auth.url}/signup`, 'POST', {
        email,
        password: PASSWORD,
        data: { full_name: 'Ada Lovelace' },
      })
      await call(`${auth.url}/signup`, 'POST', {
        email: newAddress(),
        password: PASSWORD,
        data: { full_name: 'Ada Lovelace' },
      })
    })
    const handles = events.map((event) => ('profile' in event.data ? event.data.profile.handle : null))
    expect(handles).toHaveLength(2)
    expect(new Set(handles).size).toBe(2)
    for (const handle of handles) expect(handle).toMatch(/^ada_lovelace_\d+$/)
  })

  it('are looked up, several at once, by who is signed in', async () => {
    const [one, two] = [await signUp(auth), await signUp(auth)]
    const path = `/profiles/lookup?ids=${one.user.id},${randomUUID()},${two.user.id}`
    const { status, body } = await api('GET', path, one)
    expect(status).toBe(200)
    const ids = body.items.map(({ userId }: { userId: string }) => userId)
    expect(ids.sort()).toEqual([one.user.id, two.user.id].sort())
    expect(body.items[0]).not.toHaveProperty('email')
    expect((await api('GET', path)).status).toBe(401)
    expect((await api('GET', '/profiles/lookup?ids=me', one)).status).toBe(400)
  })

  it('/me tells who one is', async () => {
    const person = await signUp(auth)
    expect((await api('GET', '/me', person)).body).toEqual({
      id: person.user.id,
      email: person.email,
      role: 'user',
      isAdmin: false,
      hasWelcomeToast: false,
      profile: {
        userId: person.user.id,
        handle: expect.stringMatching(/^viewer_\d+$/),
        artistName: null,
        avatarUrl: null,
      },
      restrictions: [],
      activeRestrictions: [],
      hasPassword: true,
      emailChange: null,
    })
    expect((await api('GET', '/me', admin)).body).toMatchObject({ role: 'admin', isAdmin: true })
    const handle = auth.config.adminWelcomeHandle
    const welcomed = async () => (await api('GET', '/me', admin)).body.hasWelcomeToast
    const before = (await api('GET', '/me', admin)).body.profile.handle
    await api('PATCH', `/profiles/${admin.user.id}`, admin, { handle: 'not_the_one' })
    expect(await welcomed()).toBe(false)
    await api('PATCH', `/profiles/${admin.user.id}`, admin, { handle })
    expect(await welcomed()).toBe(true)
    await api('PATCH', `/profiles/${admin.user.id}`, admin, { handle: before })
    expect((await api('GET', '/me')).status).toBe(401)
    expect((await api('GET', '/me/is-admin', admin)).body).toEqual({ isAdmin: true })
    expect((await api('GET', '/me/is-admin', person)).body).toEqual({ isAdmin: false })
    expect((await api('GET', '/me/is-admin')).body).toEqual({ isAdmin: false })
  })

  it('are changed by their owner only, and the change is told', async () => {
    const [person, other] = [await signUp(auth), await signUp(auth)]
    const path = `/profiles/${person.user.id}`
    const { result, events } = await during('auth.profile.updated.v1', () =>
      api('PATCH', path, person, {
        handle: 'Nightfly',
        artistName: '  The Nightfly ',
        avatarUrl: 'https://a.test/x.png',
      }),
    )
    const profile = {
      userId: person.user.id,
      handle: 'Nightfly',
      artistName: 'The Nightfly',
      avatarUrl: 'https://a.test/x.png',
    }
    expect([result.status, result.body]).toEqual([200, profile])
    expect(events.map((event) => event.data)).toEqual([{ userId: person.user.id, profile }])
    expect((await api('GET', path)).body).toEqual(profile)
    expect((await api('PATCH', path, other, { artistName: 'x' })).status).toBe(403)
    expect((await api('PATCH', path, undefined, { artistName: 'x' })).status).toBe(401)
    expect(await api('PATCH', `/profiles/${other.user.id}`, other, { handle: 'nightFLY' })).toMatchObject({
      status: 409,
      body: { code: 'handle_taken' },
    })
    expect((await api('PATCH', `/profiles/${other.user.id}`, other, { handle: 'Admin' })).body.code).toBe(
      'handle_taken',
    )
    expect((await api('PATCH', path, person, { artistName: ' ' })).body.artistName).toBeNull()
  })

  it.each([
    [{}],
    [{ handle: 'ab' }],
    [{ handle: 'with space' }],
    [{ handle: null }],
    [{ artistName: 'x'.repeat(101) }],
    [{ artistName: 'x\0' }],
    [{ avatarUrl: 'http://a.test/x.png' }],
    [{ avatarUrl: 'javascript:alert(1)' }],
    [{ role: 'admin' }],
  ])('refuse change %#', async (body) => {
    expect(await api('PATCH', `/profiles/${admin.user.id}`, admin, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  })

  it('say beforehand whether a handle is free for one', async () => {
    const [person, other] = [await signUp(auth), await signUp(auth)]
    await api('PATCH', `/profiles/${person.user.id}`, person, { handle: 'Moonlight' })
    const free = async (handle: string, asker: TestSession) =>
      (await api('GET', `/profiles/handles/${handle}`, asker)).body.available
    expect(await free('moonLIGHT', other)).toBe(false)
    expect(await free('moonlight', person)).toBe(true)
    expect(await free('starlight', other)).toBe(true)
    expect(await free('Moderator_1', other)).toBe(false)
    expect(await free('Moderator_1', admin)).toBe(true)
    expect((await api('GET', '/profiles/handles/no', other)).status).toBe(400)
    expect((await api('GET', '/profiles/handles/starlight')).status).toBe(401)
  })

  it('are found by handle, by anybody', async () => {
    const person = await signUp(auth)
    await api('PATCH', `/profiles/${person.user.id}`, person, { handle: 'By_Handle' })
    expect((await api('GET', '/profiles/by-handle/by_HANDLE')).body).toMatchObject({
      userId: person.user.id,
      handle: 'By_Handle',
    })
    expect((await api('GET', '/profiles/by-handle/nobody_here')).status).toBe(404)
    expect((await api('GET', '/profiles/by-handle/..%2f..')).status).toBe(400)
  })

  it('are listed by handle, page by page, and searched', async () => {
    const people = await Promise.all(
      ['list_c', 'list_a', 'LIST_B'].map(async (handle) => {
        const person = await signUp(auth)
        await api('PATCH', `/profiles/${person.user.id}`, person, {
          handle,
          artistName: `Band 100% ${handle}`,
        })
        return person
      }),
    )
    const reader = people[0]!
    const handles = (answer: { body: { items: { handle: string }[] } }) =>
      answer.body.items.map((item) => item.handle)
    const first = await api('GET', '/profiles?q=list_&limit=2', reader)
    expect(handles(first)).toEqual(['list_a', 'LIST_B'])
    const second = await api('GET', `/profiles?q=list_&limit=2&cursor=${first.body.nextCursor}`, reader)
    expect([handles(second), second.body.nextCursor]).toEqual([['list_c'], null])
    expect(handles(await api('GET', '/profiles?q=LI', reader))).toHaveLength(3)
    expect(handles(await api('GET', '/profiles?q=100%25%20list_b', reader))).toEqual(['LIST_B'])
    expect(handles(await api('GET', '/profiles?q=100_', reader))).toEqual([])
    expect((await api('GET', '/profiles?limit=101', reader)).status).toBe(400)
    expect((await api('GET', '/profiles?cursor=xx', reader)).body.code).toBe('invalid_cursor')
    expect((await api('GET', '/profiles')).status).toBe(401)
    expect((await api('GET', `/profiles/${randomUUID()}`)).status).toBe(404)
    expect((await api('GET', '/profiles/nobody')).status).toBe(400)
  })
})

describe('roles', () => {
  it('are given by an admin, past the guard, with an event and an audit entry', async () => {
    const person = await signUp(auth)
    const audit = await auth.listen('auth.audit.recorded.v1')
    const { result, events } = await during('auth.role.changed.v1', () =>
      api('PUT', `/users/${person.user.id}/role`, admin, { role: 'moderator' }),
    )
    expect(result).toMatchObject({
      status: 200,
      body: { id: person.user.id, role: 'moderator', email: person.email },
    })
    expect(auth.guard.asked).toMatchObject([
      { userId: admin.user.id, role: 'admin', action: 'user.role.admin', targetUserId: person.user.id },
    ])
    expect(events.map((event) => event.data)).toEqual([{ userId: person.user.id, role: 'moderator' }])
    expect(audit.taken()).toMatchObject([
      {
        actorId: admin.user.id,
        data: {
          action: 'user.role.set',
          targetUserId: person.user.id,
          before: { role: 'user' },
          after: { role: 'moderator' },
        },
      },
    ])
    await audit.stop()
    expect((await api('GET', '/me', person)).body.role).toBe('moderator')
    const access = await call(`${auth.service.url}/internal/access`, 'GET', undefined, {
      'x-internal-token': 'an internal token for tests, long enough',
    })
    expect(access.body.roles).toContainEqual({ userId: person.user.id, role: 'moderator' })
    const again = await during('auth.role.changed.v1', () =>
      api('PUT', `/users/${person.user.id}/role`, admin, { role: 'moderator' }),
    )
    expect([again.result.status, again.events]).toEqual([200, []])
  })

  it('are not given when the guard refuses', async () => {
    const person = await signUp(auth)
    const set = (by?: TestSession) => api('PUT', `/users/${person.user.id}/role`, by, { role: 'admin' })
    expect((await set(person)).status).toBe(403)
    expect(auth.guard.asked).toEqual([])
    await until('the attempt is reported', () =>
      auth.guard.reported.some(
        ({ userId, operation }) => userId === person.user.id && operation === 'auth.user.set_role',
      ),
    )
    auth.guard.refusal = { status: 401, code: 'unauthorized' }
    expect((await set()).status).toBe(401)
    auth.guard.refusal = { status: 429, code: 'admin_rate_limited' }
    expect(await set(admin)).toMatchObject({ status: 429, body: { code: 'admin_rate_limited' } })
    auth.guard.refusal = { status: 500, code: 'internal_error' }
    expect((await set(admin)).status).toBe(503)
    expect((await api('GET', '/me', person)).body.role).toBe('user')
    auth.guard.refusal = undefined
    expect((await api('PUT', `/users/${randomUUID()}/role`, admin, { role: 'admin' })).status).toBe(404)
    expect((await api('PUT', `/users/${person.user.id}/role`, admin, { role: 'king' })).status).toBe(400)
  })

  it('the last admin stays one', async () => {
    expect((await api('PUT', `/users/${admin.user.id}/role`, admin, { role: 'user' })).status).toBe(409)
    const second = await staff('admin')
    const demote = (target: TestSession, by: TestSession) =>
      api('PUT', `/users/${target.user.id}/role`, by, { role: 'user' })
    const both = await whileAdminsAreLocked(2, () => [demote(admin, second), demote(second, admin)])
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409])
    const [left, demoted] =
      (await api('GET', '/me', admin)).body.role === 'admin' ? [admin, second] : [second, admin]
    // A request that comes after its sender was demoted is refused for want of the role.
    expect((await demote(left, demoted)).status).toBe(403)
    await api('PUT', `/users/${admin.user.id}/role`, left, { role: 'admin' })
    if (left === second) expect((await demote(second, admin)).status).toBe(200)
  })

  it('the first admin is made or promoted, once', async () => {
    const hasher = new PasswordHasher()
    const email = newAddress()
    const facts = { email, password: 'a password for the boss' }
    expect(await ensureAdmin(auth.db, hasher, facts)).toBe(true)
    expect(await ensureAdmin(auth.db, hasher, facts)).toBe(false)
    const person = await signUp(auth)
    expect(await ensureAdmin(auth.db, hasher, { ...facts, email: person.email.toUpperCase() })).toBe(false)
    expect((await api('GET', '/me', person)).body.isAdmin).toBe(true)
    expect((await signIn(person.email)).status).toBe(200)
    await auth.db.deleteFrom('userRoles').where('userId', '!=', admin.user.id).execute()
  })
})

describe('restrictions', () => {
  const add = (by: TestSession | undefined, userId: string, restrictionType: string, more: object = {}) =>
    api('POST', `/users/${userId}/restrictions`, by, { restrictionType, reason: ' because ', ...more })
  const inMinutes = (minutes: number) => new Date(auth.clock.now() + minutes * 60_000).toISOString()

  it('by an admin are told, audited, shown and taken back', async () => {
    const person = await signUp(auth)
    const audit = await auth.listen('auth.audit.recorded.v1')
    const added = await during('auth.user.restricted.v1', () => add(admin, person.user.id, 'restricted'))
    expect(added.result.status).toBe(201)
    const restriction = added.result.body
    expect(restriction).toMatchObject({ reason: 'because', createdBy: admin.user.id, expiresAt: null })
    expect(added.events.map((event) => event.data)).toEqual([
      {
        userId: person.user.id,
        restrictionId: restriction.id,
        restrictionType: 'restricted',
        reason: 'because',
        expiresAt: null,
      },
    ])
    expect((await api('GET', '/me', person)).body.restrictions).toEqual(['restricted'])
    expect(await api('PATCH', `/profiles/${person.user.id}`, person, { artistName: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'user_restricted' },
    })
    const path = `/users/${person.user.id}/restrictions/${restriction.id}`
    expect((await api('DELETE', path, person)).status).toBe(403)
    const removed = await during('auth.user.unrestricted.v1', () => api('DELETE', path, admin))
    expect(removed.result.status).toBe(204)
    expect(removed.events.map((event) => event.data)).toEqual([
      { userId: person.user.id, restrictionId: restriction.id, restrictionType: 'restricted' },
    ])
    expect((await api('DELETE', path, admin)).status).toBe(404)
    expect((await api('PATCH', `/profiles/${person.user.id}`, person, { artistName: 'x' })).status).toBe(200)
    expect(audit.taken().map((event) => event.data)).toMatchObject([
      { action: 'user.restriction.add', before: null, after: { reason: 'because' } },
      { action: 'user.restriction.remove', before: { reason: 'because' }, after: null },
    ])
    await audit.stop()
    expect(auth.guard.asked).toEqual([])
  })

  it('a site ban ends every session at once, refuses sign-in and refresh, and can be taken back', async () => {
    const person = await signUp(auth)
    const other = (await signIn(person.email)).body
    const { result, events } = await during('auth.session.revoked.v1', () =>
      add(admin, person.user.id, 'site_banned'),
    )
    expect(result.status).toBe(201)
    expect(auth.guard.asked).toMatchObject([{ action: 'user.site_ban.admin', targetUserId: person.user.id }])
    const ids = [person.access_token, other.access_token].map((token) => decodeJwt(token).session_id)
    expect(events).toHaveLength(1)
    expect(events[0]?.data).toMatchObject({ userId: person.user.id, sessionIds: expect.arrayContaining(ids) })
    expect((await api('GET', '/me', person)).status).toBe(401)
    expect(
      (await call(`${auth.url}/user`, 'GET', undefined, { ...VERSION, ...person.headers })).body.code,
    ).toBe('session_not_found')
    for (const token of [person.refresh_token, other.refresh_token]) {
      const refreshed = await call(`${auth.url}/token?grant_type=refresh_token`, 'POST', {
        refresh_token: token,
      })
      expect([refreshed.status, refreshed.body.code]).toEqual([400, 'user_banned'])
    }
    expect(await signIn(person.email)).toMatchObject({ status: 400, body: { code: 'user_banned' } })
    const wrong = await call(`${auth.url}/token?grant_type=password`, 'POST', {
      email: person.email,
      password: 'wrong',
    })
    expect(wrong.body.code).toBe('invalid_credentials')
    await call(`${auth.url}/otp`, 'POST', { email: person.email })
    const mail = await auth.sink.latest(person.email)
    const verify = () => call(`${auth.url}/verify`, 'POST', { type: 'email', token_hash: mail.tokenHash })
    expect((await verify()).body.code).toBe('user_banned')
    await api('DELETE', `/users/${person.user.id}/restrictions/${result.body.id}`, admin)
    expect((await signIn(person.email)).status).toBe(200)
    expect((await verify()).status).toBe(200)
  })

  it('a ban leaves no session to a sign-in under way', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signUp(auth)
      const [, ...sessions] = await Promise.all([
        add(admin, person.user.id, 'site_banned'),
        ...Array.from({ length: 4 }, () => signIn(person.email)),
        call(`${auth.url}/token?grant_type=refresh_token`, 'POST', { refresh_token: person.refresh_token }),
      ])
      expect(sessions).toHaveLength(5)
      const left = await auth.db
        .selectFrom('sessions')
        .where('userId', '=', person.user.id)
        .select('id')
        .execute()
      expect(left).toEqual([])
    }
  })

  it('nobody bans themself, nobody is banned by others than admins', async () => {
    const [person, moderator] = [await signUp(auth), await staff('moderator')]
    expect((await add(admin, admin.user.id, 'site_banned')).status).toBe(409)
    expect((await api('GET', '/me', admin)).status).toBe(200)
    for (const type of ['site_banned', 'restricted', 'chat_banned']) {
      expect((await add(moderator, person.user.id, type)).status).toBe(403)
      expect((await add(person, moderator.user.id, type)).status).toBe(403)
      expect((await add(undefined, person.user.id, type)).status).toBe(401)
    }
    expect((await api('GET', '/me', person)).body.restrictions).toEqual([])
  })

  it('a second one of a type names the one in force, and replaces it only when asked to', async () => {
    const [person, moderator] = [await signUp(auth), await staff('moderator')]
    const first = await add(admin, person.user.id, 'chat_banned', { replaces: null })
    expect(first.status).toBe(201)
    const refused = await add(admin, person.user.id, 'chat_banned', {
      replaces: null,
      expiresAt: inMinutes(5),
    })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'already_exists', details: [{ path: '/replaces', message: first.body.id }] },
    })
    const { handle } = (await api('GET', '/me', admin)).body.profile
    expect(refused.body.message).toBe(`A ban from the chat by ${handle} is in force with no end: because`)
    // A moderator may not replace it at all.
    const timeOut = { replaces: first.body.id, expiresAt: inMinutes(5) }
    expect((await add(moderator, person.user.id, 'chat_banned', timeOut)).body.code).toBe('conflict')
    const replaced = await during('auth.audit.recorded.v1', () =>
      add(admin, person.user.id, 'chat_banned', timeOut),
    )
    expect(replaced.result.status).toBe(201)
    expect(replaced.events.map((event) => event.data)).toMatchObject([
      {
        action: 'user.restriction.add',
        before: { id: first.body.id, expiresAt: null },
        after: { reason: 'because' },
      },
    ])
    // The first one is no longer in force.
    expect((await add(admin, person.user.id, 'chat_banned', { replaces: first.body.id })).body.code).toBe(
      'already_exists',
    )
    const path = `/users/${person.user.id}/restrictions/${replaced.result.body.id}`
    expect((await api('DELETE', path, admin)).status).toBe(204)
  })

  it('a moderator times chatters out, for a while, and lets them in again', async () => {
    const [person, moderator] = [await signUp(auth), await staff('moderator')]
    const timeOut = await add(moderator, person.user.id, 'chat_banned', { expiresAt: inMinutes(10) })
    expect(timeOut.status).toBe(201)
    expect((await api('GET', '/me', person)).body.restrictions).toEqual(['chat_banned'])
    expect(
      (await add(moderator, person.user.id, 'chat_banned', { expiresAt: inMinutes(60 * 24 * 31) })).status,
    ).toBe(403)
    expect((await add(moderator, admin.user.id, 'chat_banned', { expiresAt: inMinutes(10) })).status).toBe(
      403,
    )
    expect((await add(moderator, person.user.id, 'chat_banned', { expiresAt: inMinutes(-1) })).status).toBe(
      400,
    )
    const longer = await add(moderator, person.user.id, 'chat_banned', { expiresAt: inMinutes(20) })
    expect(longer.status).toBe(201)
    expect((await add(moderator, person.user.id, 'chat_banned', { expiresAt: inMinutes(5) })).status).toBe(
      409,
    )
    expect(
      (await api('DELETE', `/users/${person.user.id}/restrictions/${longer.body.id}`, moderator)).status,
    ).toBe(204)
    const ban = await add(admin, person.user.id, 'chat_banned')
    expect((await add(moderator, person.user.id, 'chat_banned', { expiresAt: inMinutes(10) })).status).toBe(
      409,
    )
    expect(
      (await api('DELETE', `/users/${person.user.id}/restrictions/${ban.body.id}`, moderator)).status,
    ).toBe(403)
  })

  it('end by themselves, and the sweep tells of it', async () => {
    const person = await signUp(auth)
    await add(admin, person.user.id, 'restricted', { expiresAt: inMinutes(10) })
    auth.clock.advance(11 * 60_000)
    expect((await api('GET', '/me', person)).body).toMatchObject({ restrictions: [], activeRestrictions: [] })
    const { events } = await during('auth.user.unrestricted.v1', () => auth.sweep.run())
    expect(events.map((event) => event.data)).toMatchObject([
      { userId: person.user.id, restrictionType: 'restricted' },
    ])
  })

  it('refuse faulty bodies', async () => {
    const person = await signUp(auth)
    for (const more of [
      { reason: ' ' },
      { reason: '' },
      { restrictionType: 'x' },
      { expiresAt: 'soon' },
      { extra: 1 },
      { reason: 'x\0' },
    ]) {
      expect((await add(admin, person.user.id, 'restricted', more)).status, JSON.stringify(more)).toBe(400)
    }
    expect((await add(admin, randomUUID(), 'restricted')).status).toBe(404)
    expect((await add(admin, 'nobody', 'restricted')).status).toBe(400)
  })

  it('are listed for admins with roles and addresses', async () => {
    const person = await signUp(auth)
    await api('PATCH', `/profiles/${person.user.id}`, person, { handle: 'zz_listed' })
    await add(admin, person.user.id, 'chat_banned')
    const { body } = await api('GET', '/users?q=zz_listed', admin)
    expect(body.items).toMatchObject([
      {
        id: person.user.id,
        email: person.email,
        role: 'user',
        restrictions: [{ restrictionType: 'chat_banned' }],
      },
    ])
    const byMail = await api('GET', `/users?q=${encodeURIComponent(person.email)}`, admin)
    expect(byMail.body.items).toHaveLength(1)
    const page = await api('GET', '/users?limit=1', admin)
    expect(page.body.items).toHaveLength(1)
    expect(
      (await api('GET', `/users?limit=1&cursor=${page.body.nextCursor}`, admin)).body.items[0].id,
    ).not.toBe(page.body.items[0].id)
    expect((await api('GET', '/users', person)).status).toBe(403)
    expect((await api('GET', '/users')).status).toBe(401)
  })
})
