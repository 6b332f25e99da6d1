import { bearerOf } from '@looptide/testkit/client'
import { describe, expect, it } from 'vitest'
import { Vault } from '../src/crypto/vault.ts'
import { ensureAdmin } from '../src/features/account/ensure-admin.ts'
import { KeptRestrictions } from '../src/features/registration/kept-restrictions.ts'
import {
  type Answer,
  adminDeps,
  call,
  newEmail,
  PASSWORD,
  signUp,
  type TestAuth,
  type TestSession,
  VERSION,
} from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { api, post, signIn, staff } from './_requests.ts'

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
    const auth = await startForTest()
    const admin = await staff(auth, 'admin')
    const viewer = await signUp(auth)
    await restrict(auth, admin, viewer.user.id, 'chat_banned')
    expect((await deleteMe(auth, viewer)).status).toBe(204)
    const restricted = await auth.listen('auth.user.restricted.v1')
    const again = await signUp(auth, viewer.email)
    await auth.service.processAll()
    expect(await restrictionsOf(auth, again)).toEqual(['chat_banned'])
    expect((await restricted.settled()).map((event) => event.data)).toMatchObject([
      { userId: again.user.id, restrictionType: 'chat_banned', reason: 'spam', expiresAt: null },
    ])
    await restricted.stop()
  })

  it('is not avoided by a tag in the email, and identifies no user while it is kept', async () => {
    const auth = await startForTest()
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
    const auth = await startForTest()
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
    const auth = await startForTest({ MAIL_CONFIRMATION: 'on' })
    await ensureAdmin(adminDeps(auth), { email: 'admin@example.test', password: PASSWORD })
    const { body } = await signIn(auth, 'admin@example.test', PASSWORD)
    const admin: TestSession = { ...body, headers: bearerOf(body.access_token) }
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
    const headers = { ...VERSION, ...bearerOf(session.access_token) }
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
    const auth = await startForTest()
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
    const auth = await startForTest()
    const [admin, moderator, colleague] = [
      await staff(auth, 'admin'),
      await staff(auth, 'moderator'),
      await staff(auth, 'moderator'),
    ]
    const own = (await restrict(auth, admin, moderator.user.id, 'chat_banned', 10)).body
    const refusal = await lift(auth, moderator, moderator.user.id, own.id)
    expect([refusal.status, refusal.body.message]).toEqual([
      403,
      'You cannot remove a restriction on yourself.',
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
