import { AVATAR_MAX_BYTES } from '@looptide/contracts/http/users'
import { BATCH_ROWS } from '@looptide/service-kit/db/batches'
import { newId } from '@looptide/service-kit/db/ids'
import { connect } from '@looptide/service-kit/events/nats-client'
import { bearerOf } from '@looptide/testkit/client'
import { storeEvent } from '@looptide/testkit/event-keys'
import { png, pngChunk } from '@looptide/testkit/png'
import { until } from '@looptide/testkit/until'
import { watchDeletes } from '@looptide/testkit/watch-deletes'
import { hash } from '@node-rs/argon2'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  newEmail,
  PASSWORD,
  signUp,
  startAuth,
  type TestAuth,
  type TestSession,
  VERSION,
} from './_harness.ts'
import { staff } from './_requests.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth({ SESSIONS_PER_USER: '3' })
})
afterAll(() => auth.stop())

const api = (method: string, path: string, viewer?: TestSession, body?: unknown) =>
  call(`${auth.service.url}/api${path}`, method, body, viewer === undefined ? {} : { ...viewer.headers })
const signIn = (email: string, password = PASSWORD) =>
  call(`${auth.url}/token?grant_type=password`, 'POST', { email, password })
const putUser = (token: string, body: unknown) =>
  call(`${auth.url}/user`, 'PUT', body, { ...VERSION, ...bearerOf(token) })
const sessionOf = (token: string) => String(decodeJwt(token).session_id)

describe("a user's sessions", () => {
  it('are listed, and can be ended one by one', async () => {
    const viewer = await signUp(auth)
    const other = (await signIn(viewer.email)).body
    const { body } = await api('GET', '/me/sessions', viewer)
    expect(body.items).toHaveLength(2)
    const current = body.items.find((item: { current: boolean }) => item.current)
    expect(current.id).toBe(sessionOf(viewer.access_token))
    const id = sessionOf(other.access_token)
    const stranger = await signUp(auth)
    expect((await api('DELETE', `/me/sessions/${id}`, stranger)).status).toBe(404)
    expect((await api('DELETE', `/me/sessions/${id}`, viewer)).status).toBe(204)
    expect((await api('GET', '/me/sessions', viewer)).body.items).toHaveLength(1)
  })

  it('are limited in number: a new one ends the least recently used', async () => {
    const viewer = await signUp(auth)
    const revoked = await auth.listen('auth.session.revoked.v1')
    const tokens = [viewer.access_token]
    for (let i = 0; i < 2; i += 1) {
      auth.clock.advance(1000)
      tokens.push((await signIn(viewer.email)).body.access_token)
    }
    auth.clock.advance(1000)
    await call(`${auth.url}/token?grant_type=refresh_token`, 'POST', { refresh_token: viewer.refresh_token })
    auth.clock.advance(1000)
    tokens.push((await signIn(viewer.email)).body.access_token)
    await auth.service.processAll()
    const { items } = (await api('GET', '/me/sessions', viewer)).body
    const left = items.map(({ id }: { id: string }) => id)
    expect(new Set(left)).toEqual(new Set([tokens[0]!, tokens[2]!, tokens[3]!].map(sessionOf)))
    const mine = (await revoked.settled()).filter((event) => event.data.userId === viewer.user.id)
    expect(mine.map((event) => event.data.sessionIds)).toEqual([[sessionOf(tokens[1]!)]])
    await revoked.stop()
  })
})

describe("a user's password", () => {
  it('is changed with the current one, which must be correct', async () => {
    const viewer = await signUp(auth)
    const change = (current_password: string) =>
      putUser(viewer.access_token, { password: 'a wholly new one', current_password })
    expect(await change('not the password')).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials' },
    })
    expect((await signIn(viewer.email)).status).toBe(200)
    expect((await change(PASSWORD)).status).toBe(200)
    expect((await signIn(viewer.email, 'a wholly new one')).status).toBe(200)
  })

  it('is the same in every Unicode form, also if an earlier release hashed another form', async () => {
    const viewer = await signUp(auth)
    const composed = 'Zo\u00eb\u00a0Keats, Motörhead'
    const decomposed = composed.normalize('NFD').replace('\u00a0', ' ')
    expect(
      (await putUser(viewer.access_token, { password: composed, current_password: PASSWORD })).status,
    ).toBe(200)
    for (const form of [composed, decomposed, `\ufeff${composed}\u200b`])
      expect((await signIn(viewer.email, form)).status).toBe(200)
    expect((await signIn(viewer.email, 'Zoe Keats, Motorhead')).status).toBe(400)

    const passwordHash = await hash(decomposed)
    const account = () => auth.db.selectFrom('users').selectAll().where('id', '=', viewer.user.id)
    await auth.db.updateTable('users').set({ passwordHash }).where('id', '=', viewer.user.id).execute()
    expect((await signIn(viewer.email, composed)).status).toBe(400)
    expect((await signIn(viewer.email, decomposed)).status).toBe(200)
    expect((await account().executeTakeFirstOrThrow()).passwordHash).not.toBe(passwordHash)
    expect((await signIn(viewer.email, composed)).status).toBe(200)
  })

  it('is not changed without the current one by a session older than a day', async () => {
    const viewer = await signUp(auth)
    auth.clock.advance(25 * 3_600_000)
    const { body } = await call(`${auth.url}/token?grant_type=refresh_token`, 'POST', {
      refresh_token: viewer.refresh_token,
    })
    expect(await putUser(body.access_token, { password: 'a wholly new one' })).toMatchObject({
      status: 400,
      body: { code: 'reauthentication_needed' },
    })
    const withProof = { password: 'a wholly new one', current_password: PASSWORD }
    expect((await putUser(body.access_token, withProof)).status).toBe(200)
  })
})

describe('the owner', () => {
  const noticeTo = (email: string, subject: string) =>
    until(`"${subject}" reaches ${email}`, () =>
      auth.sink.to(email).find(({ raw }) => raw.includes(`Subject: ${subject}`)),
    )

  it('is notified as an admin, and as no other user, that the station switched a webhook off', async () => {
    const [admin, moderator] = [await staff(auth, 'admin'), await staff(auth, 'moderator')]
    const nats = await connect({ servers: new URL(auth.nats.url).host })
    await storeEvent(nats, {
      ...{ id: newId(), type: 'admin.webhook.disabled.v1', occurredAt: new Date().toISOString() },
      ...{ actorId: null, correlationId: null, aggregateId: 'webhook', aggregateVersion: 1 },
      data: { webhookId: newId(), host: 'hooks.example.com', reason: 'failing' },
    })
    await nats.close()
    const { raw } = await noticeTo(admin.email, 'A webhook of Looptide TV was switched off')
    expect(raw).toContain('The webhook to hooks.example.com was switched off')
    expect(
      auth.sink
        .to(moderator.email)
        .map((mail) => mail.raw)
        .join(''),
    ).not.toContain('webhook')
    // Other tests need to be the only ones with an admin.
    await auth.db.deleteFrom('userRoles').where('userId', '=', admin.user.id).execute()
  })

  it('is mailed a reminder that audience sends by mail, and none that comes otherwise or too late, or after a ban', async () => {
    const [viewer, banned] = [await signUp(auth), await signUp(auth)]
    const ban = {
      restrictionType: 'site_banned',
      ...{ id: newId(), userId: banned.user.id, reason: 'spam' },
      ...{ createdBy: null, createdByRole: null, createdAt: new Date(), expiresAt: null },
    } as const
    await auth.db.insertInto('userRestrictions').values(ban).execute()
    const nats = await connect({ servers: new URL(auth.nats.url).host })
    const reminders = [
      { user: viewer.user, via: 'push', title: 'By push', inMs: 600_000 },
      { user: viewer.user, via: 'page', title: 'By page', inMs: 600_000 },
      { user: viewer.user, via: 'mail', title: 'Begun', inMs: -1000 },
      { user: banned.user, via: 'mail', title: 'Banned', inMs: 600_000 },
      { user: viewer.user, via: 'mail', title: 'By mail', inMs: 600_000 },
    ] as const
    for (const [index, { user, via, title, inMs }] of reminders.entries()) {
      await storeEvent(nats, {
        ...{ id: newId(), type: 'audience.reminder.due.v1', occurredAt: new Date().toISOString() },
        ...{ actorId: null, correlationId: null, aggregateId: user.id, aggregateVersion: index + 1 },
        data: {
          ...{ userId: user.id, reminderId: newId(), kind: 'special', phase: 'before', via },
          ...{ title, channelId: 'rock', channelName: 'Rock', videoId: null },
          startsAtMs: auth.clock.now() + inMs,
        },
      })
    }
    await nats.close()
    const { raw } = await noticeTo(viewer.email, 'Soon on Rock: By mail')
    expect(raw).toContain('/live?channel=rock')
    expect(raw).toContain('/members/my-reminders')
    const mails = [viewer.email, banned.email].flatMap((email) => auth.sink.to(email))
    expect(mails.filter((mail) => /By (push|page)|Begun|Banned/.test(mail.raw))).toEqual([])
  })

  it('is notified of a new password, email and role, and of the deletion', async () => {
    const admin = await staff(auth, 'admin')
    const viewer = await signUp(auth)
    const password = `${PASSWORD} again`
    expect((await putUser(viewer.access_token, { password })).status).toBe(200)
    await noticeTo(viewer.email, 'The password of your Looptide TV account was changed')

    await api('PUT', `/users/${viewer.user.id}/role`, admin, { role: 'moderator' })
    await noticeTo(viewer.email, 'Your Looptide TV account has the role moderator')
    await api('PUT', `/users/${viewer.user.id}/role`, admin, { role: 'user' })

    const next = newEmail()
    await putUser(viewer.access_token, { email: next })
    for (const email of [viewer.email, next]) {
      const { tokenHash } = await auth.sink.latest(email, 'email_change')
      await call(`${auth.url}/verify`, 'POST', { type: 'email_change', token_hash: tokenHash })
    }
    const moved = await noticeTo(viewer.email, 'The email address of your Looptide TV account was changed')
    expect(moved.raw).toContain(next)

    expect((await api('DELETE', '/me', viewer, { password })).status).toBe(204)
    const deleted = await noticeTo(next, 'Your Looptide TV account was deleted')
    // Notices lead nowhere: a forged copy cannot hide another destination behind a link or a code.
    expect([deleted.tokenHash, deleted.code]).toEqual(['', ''])
    expect(auth.sink.to(viewer.email).filter(({ raw }) => raw.includes('the role user'))).toEqual([])
    await auth.db.deleteFrom('userRoles').where('userId', '=', admin.user.id).execute()
  })
})

describe('an email change', () => {
  it('shows its progress, sends its mails again, and can be cancelled', async () => {
    const viewer = await signUp(auth)
    const next = newEmail()
    const pending = async () => (await api('GET', '/me', viewer)).body.emailChange
    expect(await pending()).toBeNull()
    await putUser(viewer.access_token, { email: next })
    expect(await pending()).toEqual({ newEmail: next, confirmedBy: null, expiresAt: expect.any(String) })
    const first = await auth.sink.latest(viewer.email, 'email_change')
    await auth.sink.latest(next, 'email_change')
    await call(`${auth.url}/verify`, 'POST', { type: 'email_change', token_hash: first.tokenHash })
    expect(await pending()).toMatchObject({ confirmedBy: 'current' })

    // Only the side that has not confirmed yet gets another mail.
    const resend = (email: string) => call(`${auth.url}/resend`, 'POST', { type: 'email_change', email })
    expect(await resend(viewer.email)).toMatchObject({ status: 200, body: {} })
    expect(await resend(newEmail())).toMatchObject({ status: 200, body: {} })
    await expect.poll(() => auth.sink.to(next).length).toBe(2)
    expect(auth.sink.to(viewer.email)).toHaveLength(1)

    expect((await api('DELETE', '/me/email-change', viewer)).status).toBe(204)
    expect((await api('DELETE', '/me/email-change', viewer)).status).toBe(204)
    expect((await api('DELETE', '/me/email-change')).status).toBe(401)
    expect(await pending()).toBeNull()
    const cancelled = auth.sink.to(next)[1]!
    expect(
      (await call(`${auth.url}/verify`, 'POST', { type: 'email_change', token_hash: cancelled.tokenHash }))
        .body.code,
    ).toBe('otp_expired')
  })
})

describe("a user's picture", () => {
  const upload = async (viewer: TestSession | undefined, bytes: Buffer, type = 'image/png') => {
    const response = await fetch(`${auth.service.url}/api/me/avatar`, {
      method: 'PUT',
      headers: { 'content-type': type, ...viewer?.headers },
      body: new Uint8Array(bytes),
    })
    return { status: response.status, body: await response.json() }
  }

  it('is stored, published, served publicly with a long cache lifetime, and replaced', async () => {
    const viewer = await signUp(auth)
    const updates = await auth.listen('auth.profile.updated.v1')
    const first = await upload(viewer, png(64, 64))
    expect(first.status).toBe(200)
    const { avatarUrl } = first.body
    expect(avatarUrl).toMatch(new RegExp(`^/api/profiles/${viewer.user.id}/avatar/[A-Za-z0-9_-]{22}$`))
    await auth.service.processAll()
    expect((await updates.settled()).map((event) => event.data.profile.avatarUrl)).toEqual([avatarUrl])
    await updates.stop()

    const served = await fetch(auth.service.url + avatarUrl)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png(64, 64))
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })

    const second = await upload(viewer, png(32, 32))
    expect(second.body.avatarUrl).not.toBe(avatarUrl)
    expect((await fetch(auth.service.url + avatarUrl)).status).toBe(404)
    expect((await api('DELETE', '/me/avatar', viewer)).body.avatarUrl).toBeNull()
    expect((await fetch(auth.service.url + second.body.avatarUrl)).status).toBe(404)
  })

  it('is deleted when an external URL replaces it', async () => {
    const viewer = await signUp(auth)
    const { avatarUrl } = (await upload(viewer, png(64, 64))).body
    const external = 'https://pictures.example.test/me.png'
    const changed = await api('PATCH', `/profiles/${viewer.user.id}`, viewer, { avatarUrl: external })
    expect(changed.body.avatarUrl).toBe(external)
    expect((await fetch(auth.service.url + avatarUrl)).status).toBe(404)
  })

  it('has the type of its bytes, whatever content type the client sends', async () => {
    const viewer = await signUp(auth)
    const { body } = await upload(viewer, png(64, 64), 'image/webp')
    expect((await fetch(auth.service.url + body.avatarUrl)).headers.get('content-type')).toBe('image/png')
    const page = Buffer.from('<script>alert(1)</script>')
    for (const bytes of [
      page,
      Buffer.alloc(0),
      png(64, 64).subarray(0, 12),
      Buffer.from('GIF89a'.padEnd(60)),
    ]) {
      const { status } = await upload(viewer, bytes)
      expect([400, 415]).toContain(status)
    }
    expect((await upload(viewer, page, 'text/html')).status).toBe(415)
    expect((await api('GET', '/me', viewer)).body.profile.avatarUrl).toBe(body.avatarUrl)
  })

  it('is stored without metadata about place and author', async () => {
    const viewer = await signUp(auth)
    const clean = png(64, 64)
    const text = Buffer.from('GPS\0 48.8583 N, 2.2945 E')
    const head = clean.indexOf('IDAT') - 4
    const secrets = [pngChunk('tEXt', text), pngChunk('iTXt', text), pngChunk('eXIf', text)]
    const withMetadata = Buffer.concat([clean.subarray(0, head), ...secrets, clean.subarray(head), text])
    const { status, body } = await upload(viewer, withMetadata)
    expect(status).toBe(200)
    const served = await fetch(auth.service.url + body.avatarUrl)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(clean)
    expect((await upload(viewer, clean.subarray(0, -13))).body.code).toBe('validation_failed')
  })

  it('is limited in pixels and bytes', async () => {
    const viewer = await signUp(auth)
    expect(await upload(viewer, png(1025, 10))).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
    const padded = Buffer.concat([png(64, 64), Buffer.alloc(AVATAR_MAX_BYTES)])
    expect(await upload(viewer, padded)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  })

  it('cannot be changed by visitors or restricted users', async () => {
    expect((await upload(undefined, png(64, 64))).status).toBe(401)
    const viewer = await signUp(auth)
    await auth.db
      .insertInto('userRestrictions')
      .values({
        id: crypto.randomUUID(),
        userId: viewer.user.id,
        restrictionType: 'restricted',
        reason: 'a test',
        createdBy: null,
        createdAt: new Date(),
        expiresAt: null,
      })
      .execute()
    expect((await upload(viewer, png(64, 64))).body.code).toBe('user_restricted')
    expect((await api('DELETE', '/me/avatar', viewer)).body.code).toBe('user_restricted')
    expect((await api('GET', '/me', viewer)).body.activeRestrictions).toEqual([
      { restrictionType: 'restricted', reason: 'a test', expiresAt: null },
    ])
  })
})

describe("a user's account", () => {
  it('is deleted in statements of bounded size', async () => {
    const viewer = await signUp(auth)
    const { id } = viewer.user
    await sql`insert into auth_codes (code_digest, user_id, method, code_challenge, code_challenge_method, created_at)
      select decode(md5(n::text), 'hex'), ${id}, 'magiclink', 'c', 'plain', now()
      from generate_series(1, ${2 * BATCH_ROWS + 1}::integer) n`.execute(auth.db)
    const largest = await watchDeletes(auth.db, 'auth_codes')
    expect((await api('DELETE', '/me', viewer, { password: PASSWORD })).status).toBe(204)
    expect(await auth.db.selectFrom('authCodes').selectAll().where('userId', '=', id).execute()).toEqual([])
    expect(await largest()).toBe(BATCH_ROWS)
  })

  it('is deleted with the password', async () => {
    const admin = await signUp(auth)
    await auth.db
      .insertInto('userRoles')
      .values({ userId: admin.user.id, role: 'admin', grantedBy: null, updatedAt: new Date() })
      .execute()
    const viewer = await signUp(auth)
    expect((await api('DELETE', '/me', viewer, {})).status).toBe(403)
    expect((await api('DELETE', '/me', viewer, { password: 'wrong' })).status).toBe(403)
    const [deleted, revoked] = [
      await auth.listen('auth.user.deleted.v1'),
      await auth.listen('auth.session.revoked.v1'),
    ]
    const body = { password: PASSWORD, deleteMessages: true }
    expect((await api('DELETE', '/me', viewer, body)).status).toBe(204)
    await auth.service.processAll()
    expect((await deleted.settled()).map((event) => event.data)).toEqual([
      { userId: viewer.user.id, deletesMessages: true },
    ])
    expect(await revoked.settled()).toHaveLength(1)
    await deleted.stop()
    await revoked.stop()
    expect((await signIn(viewer.email)).body.code).toBe('invalid_credentials')
    expect((await api('GET', '/me', viewer)).status).toBe(401)
    expect((await api('GET', `/profiles/${viewer.user.id}`)).status).toBe(404)
    expect((await api('DELETE', '/me', admin, { password: PASSWORD })).status).toBe(409)
  })
})

describe('a data export', () => {
  it('has what auth keeps about its caller, without secrets', async () => {
    const owner = await signUp(auth)
    const token = await api('POST', '/me/tokens', owner, {
      name: 'Backup',
      scopes: ['read'],
      lifetimeDays: 7,
    })
    const { status, body } = await api('GET', '/export/account', owner)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: owner.user.id,
      email: owner.email,
      hasPassword: true,
      role: 'user',
      picture: null,
      restrictions: [],
      sessions: [{ method: 'password' }],
      accessTokens: [{ name: 'Backup' }],
    })
    const user = await auth.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', owner.user.id)
      .executeTakeFirstOrThrow()
    for (const secret of [user.passwordHash, token.body.token, owner.refresh_token])
      expect(JSON.stringify(body)).not.toContain(secret)
  })
})
