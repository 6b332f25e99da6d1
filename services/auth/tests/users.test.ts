import { randomUUID } from 'node:crypto'
import type { Role } from '@looptide/contracts/common'
import type { EventData } from '@looptide/contracts/events'
import { newId } from '@looptide/service-kit/db/ids'
import { connect } from '@looptide/service-kit/events/nats-client'
import { storeEvent } from '@looptide/testkit/event-keys'
import { until } from '@looptide/testkit/until'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ensureAdmin } from '../src/features/account/ensure-admin.ts'
import { lockAdmins } from '../src/features/user/role-repository.ts'
import {
  adminDeps,
  call,
  newEmail,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  type TestSession,
  VERSION,
} from './_harness.ts'

let auth: TestAuth
let admin: TestSession
beforeAll(async () => {
  auth = await startAuth()
  admin = await staff('admin')
})
afterAll(() => auth.stop())
beforeEach(() => {
  auth.guard.requests.length = 0
  auth.guard.refusal = undefined
})

const api = (method: string, path: string, viewer?: TestSession, body?: unknown) =>
  call(`${auth.service.url}/api${path}`, method, body, viewer === undefined ? {} : { ...viewer.headers })
const signIn = (email: string) =>
  call(`${auth.url}/token?grant_type=password`, 'POST', { email, password: PASSWORD })

async function staff(role: Role): Promise<TestSession> {
  const viewer = await signUp(auth)
  await auth.db
    .insertInto('userRoles')
    .values({ userId: viewer.user.id, role, grantedBy: null, updatedAt: new Date() })
    .execute()
  return viewer
}

/** Sends requests that all wait for the lock on the admins before any of them continues. Returns their results. */
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

/** Runs `work` and returns its result and the events of one type that it published. */
async function recordEvents<T>(type: Parameters<TestAuth['listen']>[0], work: () => Promise<T>) {
  const recorder = await auth.listen(type)
  const result = await work()
  await auth.service.processAll()
  const events = await recorder.settled()
  await recorder.stop()
  return { result, events }
}

describe('profiles', () => {
  it('are created at registration, with a unique handle that is not the email', async () => {
    const email = newEmail()
    const { events } = await recordEvents('auth.user.registered.v1', async () => {
      await call(`${auth.url}/signup`, 'POST', {
        email,
        password: PASSWORD,
        data: { full_name: 'Ada Lovelace' },
      })
      await call(`${auth.url}/signup`, 'POST', {
        email: newEmail(),
        password: PASSWORD,
        data: { full_name: 'Ada Lovelace' },
      })
    })
    const handles = events.map((event) => ('profile' in event.data ? event.data.profile.handle : null))
    expect(handles).toHaveLength(2)
    expect(new Set(handles).size).toBe(2)
    for (const handle of handles) expect(handle).toMatch(/^ada_lovelace_\d+$/)
  })

  it('are looked up by id, several at once, by signed-in users', async () => {
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

  it('are part of /me, with role and restrictions', async () => {
    const viewer = await signUp(auth)
    expect((await api('GET', '/me', viewer)).body).toEqual({
      id: viewer.user.id,
      email: viewer.email,
      role: 'user',
      isAdmin: false,
      hasWelcomeToast: false,
      profile: {
        userId: viewer.user.id,
        handle: expect.stringMatching(/^viewer_\d+$/),
        artistName: null,
        avatarUrl: null,
      },
      restrictions: [],
      activeRestrictions: [],
      hasPassword: true,
      emailChange: null,
      secondFactor: null,
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
    expect((await api('GET', '/me/is-admin', viewer)).body).toEqual({ isAdmin: false })
    expect((await api('GET', '/me/is-admin')).body).toEqual({ isAdmin: false })
  })

  it('are changed by their owner only, and the change is published', async () => {
    const [viewer, other] = [await signUp(auth), await signUp(auth)]
    const path = `/profiles/${viewer.user.id}`
    const { result, events } = await recordEvents('auth.profile.updated.v1', () =>
      api('PATCH', path, viewer, {
        handle: 'Nightfly',
        artistName: '  The Nightfly ',
        avatarUrl: 'https://a.test/x.png',
      }),
    )
    const profile = {
      userId: viewer.user.id,
      handle: 'Nightfly',
      artistName: 'The Nightfly',
      avatarUrl: 'https://a.test/x.png',
    }
    expect([result.status, result.body]).toEqual([200, profile])
    expect(events.map((event) => event.data)).toEqual([{ userId: viewer.user.id, profile }])
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
    expect((await api('PATCH', path, viewer, { artistName: ' ' })).body.artistName).toBeNull()
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
  ])('refuse the invalid change %#', async (body) => {
    expect(await api('PATCH', `/profiles/${admin.user.id}`, admin, body)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
  })

  it('have a check whether a handle is available', async () => {
    const [viewer, other] = [await signUp(auth), await signUp(auth)]
    await api('PATCH', `/profiles/${viewer.user.id}`, viewer, { handle: 'Moonlight' })
    const isAvailable = async (handle: string, user: TestSession) =>
      (await api('GET', `/profiles/handles/${handle}`, user)).body.available
    expect(await isAvailable('moonLIGHT', other)).toBe(false)
    expect(await isAvailable('moonlight', viewer)).toBe(true)
    expect(await isAvailable('starlight', other)).toBe(true)
    expect(await isAvailable('Moderator_1', other)).toBe(false)
    expect(await isAvailable('Moderator_1', admin)).toBe(true)
    expect((await api('GET', '/profiles/handles/no', other)).status).toBe(400)
    expect((await api('GET', '/profiles/handles/starlight')).status).toBe(401)
  })

  it('are found by handle without a session', async () => {
    const viewer = await signUp(auth)
    await api('PATCH', `/profiles/${viewer.user.id}`, viewer, { handle: 'By_Handle' })
    expect((await api('GET', '/profiles/by-handle/by_HANDLE')).body).toMatchObject({
      userId: viewer.user.id,
      handle: 'By_Handle',
    })
    expect((await api('GET', '/profiles/by-handle/nobody_here')).status).toBe(404)
    expect((await api('GET', '/profiles/by-handle/..%2f..')).status).toBe(400)
  })

  it('are listed by handle, page by page, and searched', async () => {
    const listed = await Promise.all(
      ['list_c', 'list_a', 'LIST_B'].map(async (handle) => {
        const viewer = await signUp(auth)
        await api('PATCH', `/profiles/${viewer.user.id}`, viewer, {
          handle,
          artistName: `Band 100% ${handle}`,
        })
        return viewer
      }),
    )
    const reader = listed[0]!
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
  it('are set by an admin after the guard allows it, with an event and an audit entry', async () => {
    const viewer = await signUp(auth)
    const audit = await auth.listen('auth.audit.recorded.v1')
    const { result, events } = await recordEvents('auth.role.changed.v1', () =>
      api('PUT', `/users/${viewer.user.id}/role`, admin, { role: 'moderator' }),
    )
    expect(result).toMatchObject({
      status: 200,
      body: { id: viewer.user.id, role: 'moderator', email: viewer.email },
    })
    expect(auth.guard.requests).toMatchObject([
      { userId: admin.user.id, role: 'admin', action: 'user.role.admin', targetUserId: viewer.user.id },
    ])
    expect(events.map((event) => event.data)).toEqual([{ userId: viewer.user.id, role: 'moderator' }])
    expect(await audit.settled()).toMatchObject([
      {
        actorId: admin.user.id,
        data: {
          action: 'user.role.set',
          targetUserId: viewer.user.id,
          before: { role: 'user' },
          after: { role: 'moderator' },
        },
      },
    ])
    await audit.stop()
    expect((await api('GET', '/me', viewer)).body.role).toBe('moderator')
    const access = await call(`${auth.service.url}/internal/access`, 'GET', undefined, {
      'x-internal-token': 'an internal token for tests, long enough',
    })
    expect(access.body.roles).toContainEqual({ userId: viewer.user.id, role: 'moderator' })
    const again = await recordEvents('auth.role.changed.v1', () =>
      api('PUT', `/users/${viewer.user.id}/role`, admin, { role: 'moderator' }),
    )
    expect([again.result.status, again.events]).toEqual([200, []])
  })

  it('are each stored, published to every process, and protect their owner’s name', async () => {
    for (const role of ['programmer', 'curator'] as const) {
      const person = await signUp(auth)
      expect((await api('PUT', `/users/${person.user.id}/role`, admin, { role })).status).toBe(200)
      expect((await api('GET', '/me', person)).body).toMatchObject({ role, isAdmin: false })
      const access = await call(`${auth.service.url}/internal/access`, 'GET', undefined, {
        'x-internal-token': 'an internal token for tests, long enough',
      })
      expect(access.body.roles).toContainEqual({ userId: person.user.id, role })
      const artistName = `The ${role} of the night`
      await api('PATCH', `/profiles/${person.user.id}`, person, { artistName })
      const other = await signUp(auth)
      const taken = await api('PATCH', `/profiles/${other.user.id}`, other, { artistName })
      expect([taken.status, taken.body.code]).toEqual([400, 'validation_failed'])
      expect((await api('GET', '/users', person)).status).toBe(403)
    }
  })

  it('are not set when the guard refuses', async () => {
    const viewer = await signUp(auth)
    const set = (by?: TestSession) => api('PUT', `/users/${viewer.user.id}/role`, by, { role: 'admin' })
    expect((await set(viewer)).status).toBe(403)
    expect(auth.guard.requests).toEqual([])
    await until('the attempt is reported', () =>
      auth.guard.reported.some(
        ({ userId, operation }) => userId === viewer.user.id && operation === 'auth.user.set_role',
      ),
    )
    auth.guard.refusal = { status: 401, code: 'unauthorized' }
    expect((await set()).status).toBe(401)
    auth.guard.refusal = { status: 429, code: 'admin_rate_limited' }
    expect(await set(admin)).toMatchObject({ status: 429, body: { code: 'admin_rate_limited' } })
    auth.guard.refusal = { status: 500, code: 'internal_error' }
    expect((await set(admin)).status).toBe(503)
    expect((await api('GET', '/me', viewer)).body.role).toBe('user')
    auth.guard.refusal = undefined
    expect((await api('PUT', `/users/${randomUUID()}/role`, admin, { role: 'admin' })).status).toBe(404)
    expect((await api('PUT', `/users/${viewer.user.id}/role`, admin, { role: 'king' })).status).toBe(400)
  })

  it('cannot be taken from the last admin', async () => {
    expect((await api('PUT', `/users/${admin.user.id}/role`, admin, { role: 'user' })).status).toBe(409)
    const second = await staff('admin')
    const demote = (target: TestSession, by: TestSession) =>
      api('PUT', `/users/${target.user.id}/role`, by, { role: 'user' })
    const both = await whileAdminsAreLocked(2, () => [demote(admin, second), demote(second, admin)])
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409])
    const [left, demoted] =
      (await api('GET', '/me', admin)).body.role === 'admin' ? [admin, second] : [second, admin]
    // A request sent before and handled after the demotion of its sender is refused.
    expect((await demote(left, demoted)).status).toBe(403)
    await api('PUT', `/users/${admin.user.id}/role`, left, { role: 'admin' })
    if (left === second) expect((await demote(second, admin)).status).toBe(200)
  })

  it('of admin are given by the command line, once', async () => {
    const email = newEmail()
    const account = { email, password: 'a password for the boss' }
    const kept = { created: false, passwordSet: false }
    expect(await ensureAdmin(adminDeps(auth), account)).toEqual({ created: true, passwordSet: true })
    expect(await ensureAdmin(adminDeps(auth), account)).toEqual(kept)
    const viewer = await signUp(auth)
    expect(await ensureAdmin(adminDeps(auth), { ...account, email: viewer.email.toUpperCase() })).toEqual(
      kept,
    )
    expect((await api('GET', '/me', viewer)).body.isAdmin).toBe(true)
    expect((await signIn(viewer.email)).status).toBe(200)
    await auth.db.deleteFrom('userRoles').where('userId', '!=', admin.user.id).execute()
  })
})

describe('restrictions', () => {
  const add = (by: TestSession | undefined, userId: string, restrictionType: string, more: object = {}) =>
    api('POST', `/users/${userId}/restrictions`, by, { restrictionType, reason: ' because ', ...more })
  const inMinutes = (minutes: number) => new Date(auth.clock.now() + minutes * 60_000).toISOString()

  it('are in the summary that other services read, bans on their own, with age and handle', async () => {
    const viewer = await signUp(auth)
    const summary = () =>
      call(`${auth.service.url}/internal/accounts/${viewer.user.id}`, 'GET', undefined, {
        'x-internal-token': 'an internal token for tests, long enough',
      })
    const { body } = await summary()
    const { handle } = (await api('GET', '/me', viewer)).body.profile
    expect(body).toMatchObject({ userId: viewer.user.id, handle, restrictions: [] })
    expect(Date.parse(body.createdAt)).toBeLessThanOrEqual(auth.clock.now())
    await add(admin, viewer.user.id, 'chat_banned')
    const expiresAt = inMinutes(5)
    const { id } = (await add(admin, viewer.user.id, 'restricted', { expiresAt })).body
    expect((await summary()).body.restrictions).toEqual([{ restrictionId: id, expiresAt }])
    expect((await summary()).body.bans).toMatchObject([{ restrictionType: 'chat_banned', expiresAt: null }])
    await api('DELETE', `/users/${viewer.user.id}/restrictions/${id}`, admin)
    expect((await summary()).body.restrictions).toEqual([])
    const unknown = `${auth.service.url}/internal/accounts/${randomUUID()}`
    const answer = await call(unknown, 'GET', undefined, {
      'x-internal-token': 'an internal token for tests, long enough',
    })
    expect(answer.status).toBe(404)
  })

  it('by an admin are published, audited, shown and lifted', async () => {
    const viewer = await signUp(auth)
    const audit = await auth.listen('auth.audit.recorded.v1')
    const added = await recordEvents('auth.user.restricted.v1', () =>
      add(admin, viewer.user.id, 'restricted'),
    )
    expect(added.result.status).toBe(201)
    const restriction = added.result.body
    expect(restriction).toMatchObject({ reason: 'because', createdBy: admin.user.id, expiresAt: null })
    expect(added.events.map((event) => event.data)).toEqual([
      {
        userId: viewer.user.id,
        restrictionId: restriction.id,
        restrictionType: 'restricted',
        reason: 'because',
        expiresAt: null,
      },
    ])
    expect((await api('GET', '/me', viewer)).body.restrictions).toEqual(['restricted'])
    expect(await api('PATCH', `/profiles/${viewer.user.id}`, viewer, { artistName: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'user_restricted' },
    })
    const path = `/users/${viewer.user.id}/restrictions/${restriction.id}`
    expect((await api('DELETE', path, viewer)).status).toBe(403)
    const removed = await recordEvents('auth.user.unrestricted.v1', () => api('DELETE', path, admin))
    expect(removed.result.status).toBe(204)
    expect(removed.events.map((event) => event.data)).toEqual([
      { userId: viewer.user.id, restrictionId: restriction.id, restrictionType: 'restricted' },
    ])
    expect((await api('DELETE', path, admin)).status).toBe(404)
    expect((await api('PATCH', `/profiles/${viewer.user.id}`, viewer, { artistName: 'x' })).status).toBe(200)
    expect((await audit.settled()).map((event) => event.data)).toMatchObject([
      { action: 'user.restriction.add', before: null, after: { reason: 'because' } },
      { action: 'user.restriction.remove', before: { reason: 'because' }, after: null },
    ])
    await audit.stop()
    expect(auth.guard.requests).toEqual([])
  })

  it('from the site end every session at once, refuse sign-in and refresh, and can be lifted', async () => {
    const viewer = await signUp(auth)
    const other = (await signIn(viewer.email)).body
    const { result, events } = await recordEvents('auth.session.revoked.v1', () =>
      add(admin, viewer.user.id, 'site_banned'),
    )
    expect(result.status).toBe(201)
    expect(auth.guard.requests).toMatchObject([
      { action: 'user.site_ban.admin', targetUserId: viewer.user.id },
    ])
    const ids = [viewer.access_token, other.access_token].map((token) => decodeJwt(token).session_id)
    expect(events).toHaveLength(1)
    expect(events[0]?.data).toMatchObject({ userId: viewer.user.id, sessionIds: expect.arrayContaining(ids) })
    expect((await api('GET', '/me', viewer)).status).toBe(401)
    expect(
      (await call(`${auth.url}/user`, 'GET', undefined, { ...VERSION, ...viewer.headers })).body.code,
    ).toBe('session_not_found')
    for (const token of [viewer.refresh_token, other.refresh_token]) {
      const refreshed = await call(`${auth.url}/token?grant_type=refresh_token`, 'POST', {
        refresh_token: token,
      })
      expect([refreshed.status, refreshed.body.code]).toEqual([400, 'user_banned'])
    }
    expect(await signIn(viewer.email)).toMatchObject({ status: 400, body: { code: 'user_banned' } })
    const wrong = await call(`${auth.url}/token?grant_type=password`, 'POST', {
      email: viewer.email,
      password: 'wrong',
    })
    expect(wrong.body.code).toBe('invalid_credentials')
    await call(`${auth.url}/otp`, 'POST', { email: viewer.email })
    const mail = await auth.sink.latest(viewer.email)
    const verify = () => call(`${auth.url}/verify`, 'POST', { type: 'email', token_hash: mail.tokenHash })
    expect((await verify()).body.code).toBe('user_banned')
    await api('DELETE', `/users/${viewer.user.id}/restrictions/${result.body.id}`, admin)
    expect((await signIn(viewer.email)).status).toBe(200)
    expect((await verify()).status).toBe(200)
  })

  it('from the site leave no session to concurrent sign-ins', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const viewer = await signUp(auth)
      const [, ...sessions] = await Promise.all([
        add(admin, viewer.user.id, 'site_banned'),
        ...Array.from({ length: 4 }, () => signIn(viewer.email)),
        call(`${auth.url}/token?grant_type=refresh_token`, 'POST', { refresh_token: viewer.refresh_token }),
      ])
      expect(sessions).toHaveLength(5)
      const left = await auth.db
        .selectFrom('sessions')
        .where('userId', '=', viewer.user.id)
        .select('id')
        .execute()
      expect(left).toEqual([])
    }
  })

  it('cannot be set by users, on oneself, or as permanent ones by moderators', async () => {
    const [viewer, moderator] = [await signUp(auth), await staff('moderator')]
    expect((await add(admin, admin.user.id, 'site_banned')).status).toBe(409)
    expect((await api('GET', '/me', admin)).status).toBe(200)
    for (const type of ['site_banned', 'restricted', 'chat_banned']) {
      expect((await add(moderator, viewer.user.id, type)).status).toBe(403)
      expect((await add(viewer, moderator.user.id, type)).status).toBe(403)
      expect((await add(undefined, viewer.user.id, type)).status).toBe(401)
    }
    expect((await api('GET', '/me', viewer)).body.restrictions).toEqual([])
  })

  it('of the same type name the one in force, and replace it only when requested', async () => {
    const [viewer, moderator] = [await signUp(auth), await staff('moderator')]
    const first = await add(admin, viewer.user.id, 'chat_banned', { replaces: null })
    expect(first.status).toBe(201)
    const refused = await add(admin, viewer.user.id, 'chat_banned', {
      replaces: null,
      expiresAt: inMinutes(5),
    })
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'already_exists', details: [{ path: '/replaces', message: first.body.id }] },
    })
    const { handle } = (await api('GET', '/me', admin)).body.profile
    expect(refused.body.message).toBe(`A ban from the chat by ${handle} is in force with no end: because`)
    // A moderator cannot replace it.
    const timeOut = { replaces: first.body.id, expiresAt: inMinutes(5) }
    expect((await add(moderator, viewer.user.id, 'chat_banned', timeOut)).body.code).toBe('conflict')
    const replaced = await recordEvents('auth.audit.recorded.v1', () =>
      add(admin, viewer.user.id, 'chat_banned', timeOut),
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
    expect((await add(admin, viewer.user.id, 'chat_banned', { replaces: first.body.id })).body.code).toBe(
      'already_exists',
    )
    const path = `/users/${viewer.user.id}/restrictions/${replaced.result.body.id}`
    expect((await api('DELETE', path, admin)).status).toBe(204)
  })

  it('by moderators are time-outs of the chat that they can lift', async () => {
    const [viewer, moderator] = [await signUp(auth), await staff('moderator')]
    const timeOut = await add(moderator, viewer.user.id, 'chat_banned', { expiresAt: inMinutes(10) })
    expect(timeOut.status).toBe(201)
    expect((await api('GET', '/me', viewer)).body.restrictions).toEqual(['chat_banned'])
    expect(
      (await add(moderator, viewer.user.id, 'chat_banned', { expiresAt: inMinutes(60 * 24 * 31) })).status,
    ).toBe(403)
    expect((await add(moderator, admin.user.id, 'chat_banned', { expiresAt: inMinutes(10) })).status).toBe(
      403,
    )
    // In the chat, a role that does not moderate is none.
    const programmer = await staff('programmer')
    const ten = { expiresAt: inMinutes(10) }
    const { status, body } = await add(moderator, programmer.user.id, 'chat_banned', ten)
    expect(status).toBe(201)
    expect(
      (await api('DELETE', `/users/${programmer.user.id}/restrictions/${body.id}`, moderator)).status,
    ).toBe(204)
    expect((await add(programmer, viewer.user.id, 'chat_banned', ten)).status).toBe(403)
    expect((await add(moderator, viewer.user.id, 'chat_banned', { expiresAt: inMinutes(-1) })).status).toBe(
      400,
    )
    const longer = await add(moderator, viewer.user.id, 'chat_banned', { expiresAt: inMinutes(20) })
    expect(longer.status).toBe(201)
    expect((await add(moderator, viewer.user.id, 'chat_banned', { expiresAt: inMinutes(5) })).status).toBe(
      409,
    )
    expect(
      (await api('DELETE', `/users/${viewer.user.id}/restrictions/${longer.body.id}`, moderator)).status,
    ).toBe(204)
    const ban = await add(admin, viewer.user.id, 'chat_banned')
    expect((await add(moderator, viewer.user.id, 'chat_banned', { expiresAt: inMinutes(10) })).status).toBe(
      409,
    )
    expect(
      (await api('DELETE', `/users/${viewer.user.id}/restrictions/${ban.body.id}`, moderator)).status,
    ).toBe(403)
  })

  it('end at their time, and housekeeping publishes it', async () => {
    const viewer = await signUp(auth)
    await add(admin, viewer.user.id, 'restricted', { expiresAt: inMinutes(10) })
    auth.clock.advance(11 * 60_000)
    expect((await api('GET', '/me', viewer)).body).toMatchObject({ restrictions: [], activeRestrictions: [] })
    const { events } = await recordEvents('auth.user.unrestricted.v1', () => auth.housekeeping.run())
    expect(events.map((event) => event.data)).toMatchObject([
      { userId: viewer.user.id, restrictionType: 'restricted' },
    ])
  })

  it('follow decisions about chat messages: a time-out without an audit entry, which a reversed decision ends', async () => {
    const [viewer, moderator, banned] = [await signUp(auth), await staff('moderator'), await signUp(auth)]
    const nats = await connect({ servers: new URL(auth.nats.url).host })
    const [restricted, unrestricted, audits] = await Promise.all([
      auth.listen('auth.user.restricted.v1'),
      auth.listen('auth.user.unrestricted.v1'),
      auth.listen('auth.audit.recorded.v1'),
    ])
    let version = 0
    const decided = async (data: EventData<'chat.case.decided.v1'>) => {
      version += 1
      await storeEvent(nats, {
        ...{ id: newId(), type: 'chat.case.decided.v1', occurredAt: new Date().toISOString(), data },
        ...{
          actorId: moderator.user.id,
          correlationId: null,
          aggregateId: data.caseId,
          aggregateVersion: version,
        },
      })
      await auth.service.processAll()
    }
    const restrictionsOf = async ({ user }: TestSession) =>
      auth.db.selectFrom('userRestrictions').selectAll().where('userId', '=', user.id).execute()
    const timeOutUntil = new Date(auth.clock.now() + 86_400_000).toISOString()
    const [caseId, otherId] = [newId(), newId()]
    const of = (person: TestSession, id: string) => ({
      caseId: id,
      authorId: person.user.id,
      reporterIds: [],
    })

    await decided({ ...of(viewer, caseId), decision: 'restrict', timeOutUntil })
    expect(await restrictionsOf(viewer)).toMatchObject([
      {
        id: caseId,
        restrictionType: 'chat_banned',
        createdBy: moderator.user.id,
        createdByRole: 'moderator',
      },
    ])
    await decided({ ...of(viewer, caseId), decision: 'reverse' })
    expect(await restrictionsOf(viewer)).toEqual([])
    expect((await unrestricted.settled()).map(({ data }) => data)).toEqual([
      { userId: viewer.user.id, restrictionId: caseId, restrictionType: 'chat_banned' },
    ])

    const body = { restrictionType: 'chat_banned', reason: 'spam' }
    const ban = (await api('POST', `/users/${banned.user.id}/restrictions`, admin, body)).body
    await decided({ ...of(banned, otherId), decision: 'restrict', timeOutUntil })
    await decided({ ...of(banned, otherId), decision: 'reverse' })
    const ended = new Date(auth.clock.now() - 1000).toISOString()
    await decided({ ...of(viewer, otherId), decision: 'restrict', timeOutUntil: ended })
    await decided({ caseId: newId(), authorId: newId(), reporterIds: [], decision: 'restrict', timeOutUntil })
    expect((await restrictionsOf(banned)).map(({ id }) => id)).toEqual([ban.id])
    expect((await restricted.settled()).map(({ data }) => data.restrictionId)).toEqual([caseId, ban.id])
    expect((await audits.settled()).map(({ data }) => data.targetId)).toEqual([ban.id])
    await Promise.all([
      nats.close(),
      ...[restricted, unrestricted, audits].map((recorder) => recorder.stop()),
    ])
  })

  it('refuse invalid bodies', async () => {
    const viewer = await signUp(auth)
    for (const more of [
      { reason: ' ' },
      { reason: '' },
      { restrictionType: 'x' },
      { expiresAt: 'soon' },
      { extra: 1 },
      { reason: 'x\0' },
    ]) {
      expect((await add(admin, viewer.user.id, 'restricted', more)).status, JSON.stringify(more)).toBe(400)
    }
    expect((await add(admin, randomUUID(), 'restricted')).status).toBe(404)
    expect((await add(admin, 'nobody', 'restricted')).status).toBe(400)
  })

  it('are listed for admins with roles and emails', async () => {
    const viewer = await signUp(auth)
    await api('PATCH', `/profiles/${viewer.user.id}`, viewer, { handle: 'zz_listed' })
    await add(admin, viewer.user.id, 'chat_banned')
    const { body } = await api('GET', '/users?q=zz_listed', admin)
    expect(body.items).toMatchObject([
      {
        id: viewer.user.id,
        email: viewer.email,
        role: 'user',
        restrictions: [{ restrictionType: 'chat_banned' }],
      },
    ])
    const byMail = await api('GET', `/users?q=${encodeURIComponent(viewer.email)}`, admin)
    expect(byMail.body.items).toHaveLength(1)
    const page = await api('GET', '/users?limit=1', admin)
    expect(page.body.items).toHaveLength(1)
    expect(
      (await api('GET', `/users?limit=1&cursor=${page.body.nextCursor}`, admin)).body.items[0].id,
    ).not.toBe(page.body.items[0].id)
    expect((await api('GET', '/users', viewer)).status).toBe(403)
    expect((await api('GET', '/users')).status).toBe(401)
  })
})
