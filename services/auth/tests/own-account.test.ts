import { deflateSync } from 'node:zlib'
import { AVATAR_MAX_BYTES } from '@looptide/contracts/http/users'
import { BATCH_ROWS } from '@looptide/service-kit/batches'
import { watchDeletes } from '@looptide/testkit/watch-deletes'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
beforeAll(async () => {
  auth = await startAuth({ SESSIONS_PER_USER: '3' })
})
afterAll(() => auth.stop())

const api = (method: string, path: string, person?: TestSession, body?: unknown) =>
  call(`${auth.service.url}/api${path}`, method, body, person === undefined ? {} : { ...person.headers })
const signIn = (email: string, password = PASSWORD) =>
  call(`${auth.url}/token?grant_type=password`, 'POST', { email, password })
const putUser = (token: string, body: unknown) =>
  call(`${auth.url}/user`, 'PUT', body, { ...VERSION, authorization: `Bearer ${token}` })
const sessionOf = (token: string) => String(decodeJwt(token).session_id)

describe("one's sessions", () => {
  it('are listed, and one is ended', async () => {
    const person = await signUp(auth)
    const other = (await signIn(person.email)).body
    const { body } = await api('GET', '/me/sessions', person)
    expect(body.items).toHaveLength(2)
    const current = body.items.find((one: { current: boolean }) => one.current)
    expect(current.id).toBe(sessionOf(person.access_token))
    const id = sessionOf(other.access_token)
    const stranger = await signUp(auth)
    expect((await api('DELETE', `/me/sessions/${id}`, stranger)).status).toBe(404)
    expect((await api('DELETE', `/me/sessions/${id}`, person)).status).toBe(204)
    expect((await api('GET', '/me/sessions', person)).body.items).toHaveLength(1)
  })

  it('are at most as many as the settings say: a new one ends the one not used for longest', async () => {
    const person = await signUp(auth)
    const revoked = await auth.listen('auth.session.revoked.v1')
    const tokens = [person.access_token]
    for (let i = 0; i < 2; i += 1) {
      auth.clock.advance(1000)
      tokens.push((await signIn(person.email)).body.access_token)
    }
    auth.clock.advance(1000)
    await call(`${auth.url}/token?grant_type=refresh_token`, 'POST', { refresh_token: person.refresh_token })
    auth.clock.advance(1000)
    tokens.push((await signIn(person.email)).body.access_token)
    await auth.service.processAll()
    const { items } = (await api('GET', '/me/sessions', person)).body
    const left = items.map((one: { id: string }) => one.id)
    expect(new Set(left)).toEqual(new Set([tokens[0]!, tokens[2]!, tokens[3]!].map(sessionOf)))
    const mine = revoked.taken().filter((event) => event.data.userId === person.user.id)
    expect(mine.map((event) => event.data.sessionIds)).toEqual([[sessionOf(tokens[1]!)]])
    await revoked.stop()
  })
})

describe("one's password", () => {
  it('is changed with the present one, which must be right', async () => {
    const person = await signUp(auth)
    const change = (current_password: string) =>
      putUser(person.access_token, { password: 'a wholly new one', current_password })
    expect(await change('not the password')).toMatchObject({
      status: 400,
      body: { code: 'invalid_credentials' },
    })
    expect((await signIn(person.email)).status).toBe(200)
    expect((await change(PASSWORD)).status).toBe(200)
    expect((await signIn(person.email, 'a wholly new one')).status).toBe(200)
  })

  it('is not changed without it by a session older than a day', async () => {
    const person = await signUp(auth)
    auth.clock.advance(25 * 3_600_000)
    const { body } = await call(`${auth.url}/token?grant_type=refresh_token`, 'POST', {
      refresh_token: person.refresh_token,
    })
    expect(await putUser(body.access_token, { password: 'a wholly new one' })).toMatchObject({
      status: 400,
      body: { code: 'reauthentication_needed' },
    })
    const withProof = { password: 'a wholly new one', current_password: PASSWORD }
    expect((await putUser(body.access_token, withProof)).status).toBe(200)
  })
})

describe('a change of address', () => {
  it('shows how far it has come, is asked for again and called off', async () => {
    const person = await signUp(auth)
    const next = newAddress()
    const pending = async () => (await api('GET', '/me', person)).body.emailChange
    expect(await pending()).toBeNull()
    await putUser(person.access_token, { email: next })
    expect(await pending()).toEqual({ newEmail: next, confirmedBy: null, expiresAt: expect.any(String) })
    const first = await auth.sink.latest(person.email, 'email_change')
    await auth.sink.latest(next, 'email_change')
    await call(`${auth.url}/verify`, 'POST', { type: 'email_change', token_hash: first.tokenHash })
    expect(await pending()).toMatchObject({ confirmedBy: 'current' })

    // Only who has not agreed yet is asked again.
    const resend = (email: string) => call(`${auth.url}/resend`, 'POST', { type: 'email_change', email })
    expect(await resend(person.email)).toMatchObject({ status: 200, body: {} })
    expect(await resend(newAddress())).toMatchObject({ status: 200, body: {} })
    await expect.poll(() => auth.sink.to(next).length).toBe(2)
    expect(auth.sink.to(person.email)).toHaveLength(1)

    expect((await api('DELETE', '/me/email-change', person)).status).toBe(204)
    expect((await api('DELETE', '/me/email-change', person)).status).toBe(204)
    expect((await api('DELETE', '/me/email-change')).status).toBe(401)
    expect(await pending()).toBeNull()
    const dead = auth.sink.to(next)[1]!
    expect(
      (await call(`${auth.url}/verify`, 'POST', { type: 'email_change', token_hash: dead.tokenHash })).body
        .code,
    ).toBe('otp_expired')
  })
})

/** A chunk of a PNG; nothing here looks at its check sum. */
function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, Buffer.from(type), content, Buffer.alloc(4)])
}

/** A PNG of one colour whose header says so many pixels. */
function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(64))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

describe("one's picture", () => {
  const upload = async (person: TestSession | undefined, bytes: Buffer, type = 'image/png') => {
    const response = await fetch(`${auth.service.url}/api/me/avatar`, {
      method: 'PUT',
      headers: { 'content-type': type, ...person?.headers },
      body: new Uint8Array(bytes),
    })
    return { status: response.status, body: await response.json() }
  }

  it('is stored, told of, served to everybody for ever, and replaced', async () => {
    const person = await signUp(auth)
    const updates = await auth.listen('auth.profile.updated.v1')
    const first = await upload(person, png(64, 64))
    expect(first.status).toBe(200)
    const { avatarUrl } = first.body
    expect(avatarUrl).toMatch(new RegExp(`^/api/profiles/${person.user.id}/avatar/[A-Za-z0-9_-]{22}$`))
    await auth.service.processAll()
    expect(updates.taken().map((event) => event.data.profile.avatarUrl)).toEqual([avatarUrl])
    await updates.stop()

    const served = await fetch(auth.service.url + avatarUrl)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(png(64, 64))
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })

    const second = await upload(person, png(32, 32))
    expect(second.body.avatarUrl).not.toBe(avatarUrl)
    expect((await fetch(auth.service.url + avatarUrl)).status).toBe(404)
    expect((await api('DELETE', '/me/avatar', person)).body.avatarUrl).toBeNull()
    expect((await fetch(auth.service.url + second.body.avatarUrl)).status).toBe(404)
  })

  it('makes way for an address elsewhere', async () => {
    const person = await signUp(auth)
    const { avatarUrl } = (await upload(person, png(64, 64))).body
    const elsewhere = 'https://pictures.example.test/me.png'
    const changed = await api('PATCH', `/profiles/${person.user.id}`, person, { avatarUrl: elsewhere })
    expect(changed.body.avatarUrl).toBe(elsewhere)
    expect((await fetch(auth.service.url + avatarUrl)).status).toBe(404)
  })

  it('is what its bytes are, whatever its sender calls it', async () => {
    const person = await signUp(auth)
    const { body } = await upload(person, png(64, 64), 'image/webp')
    expect((await fetch(auth.service.url + body.avatarUrl)).headers.get('content-type')).toBe('image/png')
    const page = Buffer.from('<script>alert(1)</script>')
    for (const bytes of [
      page,
      Buffer.alloc(0),
      png(64, 64).subarray(0, 12),
      Buffer.from('GIF89a'.padEnd(60)),
    ]) {
      const { status } = await upload(person, bytes)
      expect([400, 415]).toContain(status)
    }
    expect((await upload(person, page, 'text/html')).status).toBe(415)
    expect((await api('GET', '/me', person)).body.profile.avatarUrl).toBe(body.avatarUrl)
  })

  it('tells nothing of where and by whom it was taken', async () => {
    const person = await signUp(auth)
    const clean = png(64, 64)
    const text = Buffer.from('GPS\0 48.8583 N, 2.2945 E')
    const head = clean.indexOf('IDAT') - 4
    const secrets = [chunk('tEXt', text), chunk('iTXt', text), chunk('eXIf', text)]
    const dressed = Buffer.concat([clean.subarray(0, head), ...secrets, clean.subarray(head), text])
    const { status, body } = await upload(person, dressed)
    expect(status).toBe(200)
    const served = await fetch(auth.service.url + body.avatarUrl)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(clean)
    expect((await upload(person, clean.subarray(0, -13))).body.code).toBe('validation_failed')
  })

  it('is neither large nor a bomb', async () => {
    const person = await signUp(auth)
    expect(await upload(person, png(1025, 10))).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    })
    const padded = Buffer.concat([png(64, 64), Buffer.alloc(AVATAR_MAX_BYTES)])
    expect(await upload(person, padded)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  })

  it('is not changed by visitors, nor by who is restricted', async () => {
    expect((await upload(undefined, png(64, 64))).status).toBe(401)
    const person = await signUp(auth)
    await auth.db
      .insertInto('userRestrictions')
      .values({
        id: crypto.randomUUID(),
        userId: person.user.id,
        restrictionType: 'restricted',
        reason: 'a test',
        createdBy: null,
        createdAt: new Date(),
        expiresAt: null,
      })
      .execute()
    expect((await upload(person, png(64, 64))).body.code).toBe('user_restricted')
    expect((await api('DELETE', '/me/avatar', person)).body.code).toBe('user_restricted')
    expect((await api('GET', '/me', person)).body.activeRestrictions).toEqual([
      { restrictionType: 'restricted', reason: 'a test', expiresAt: null },
    ])
  })
})

describe("one's own account", () => {
  it('is deleted in bounded statements, however much belongs to it', async () => {
    const person = await signUp(auth)
    const { id } = person.user
    await sql`insert into auth_codes (code_digest, user_id, method, code_challenge, code_challenge_method, created_at)
      select decode(md5(n::text), 'hex'), ${id}, 'magiclink', 'c', 'plain', now()
      from generate_series(1, ${2 * BATCH_ROWS + 1}::integer) n`.execute(auth.db)
    const most = await watchDeletes(auth.db, 'auth_codes')
    expect((await api('DELETE', '/me', person, { password: PASSWORD })).status).toBe(204)
    expect(await auth.db.selectFrom('authCodes').selectAll().where('userId', '=', id).execute()).toEqual([])
    expect(await most()).toBe(BATCH_ROWS)
  })

  it('is deleted on proof of the password', async () => {
    const admin = await signUp(auth)
    await auth.db
      .insertInto('userRoles')
      .values({ userId: admin.user.id, role: 'admin', grantedBy: null, updatedAt: new Date() })
      .execute()
    const person = await signUp(auth)
    expect((await api('DELETE', '/me', person, {})).status).toBe(403)
    expect((await api('DELETE', '/me', person, { password: 'wrong' })).status).toBe(403)
    const [deleted, revoked] = [
      await auth.listen('auth.user.deleted.v1'),
      await auth.listen('auth.session.revoked.v1'),
    ]
    expect((await api('DELETE', '/me', person, { password: PASSWORD })).status).toBe(204)
    await auth.service.processAll()
    expect(deleted.taken().map((event) => event.data)).toEqual([{ userId: person.user.id }])
    expect(revoked.taken()).toHaveLength(1)
    await deleted.stop()
    await revoked.stop()
    expect((await signIn(person.email)).body.code).toBe('invalid_credentials')
    expect((await api('GET', '/me', person)).status).toBe(401)
    expect((await api('GET', `/profiles/${person.user.id}`)).status).toBe(404)
    expect((await api('DELETE', '/me', admin, { password: PASSWORD })).status).toBe(409)
  })
})
