import { bearerOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { decodeJwt } from 'jose'
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { withFactor } from './_authenticator.ts'
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
} from './_harness.ts'
import { api } from './_requests.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

/** Runs `work` while the request that `start` sends waits for a row that `lock` has locked. */
async function meanwhile<T>(
  lock: (trx: Transaction<Database>) => Promise<unknown>,
  start: () => Promise<T>,
  work: (trx: Transaction<Database>) => Promise<unknown>,
): Promise<T> {
  return auth.db
    .transaction()
    .execute(async (trx) => {
      await lock(trx)
      const running = start()
      await until('the request waits for the row', async () => {
        const waiting = await sql`
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(auth.db)
        return waiting.rows.length > 0
      })
      await work(trx)
      return [running] as const
    })
    .then(([running]) => running)
}

it('a refresh that waited for a concurrent one returns its successor', async () => {
  const viewer = await signUp(auth)
  const id = String(decodeJwt(viewer.access_token).session_id)
  const rows = () => auth.db.selectFrom('sessions').select('counter').where('id', '=', id).execute()
  const { status } = await meanwhile(
    (trx) => trx.selectFrom('sessions').selectAll().where('id', '=', id).forUpdate().execute(),
    () => call(`${auth.url}/token?grant_type=refresh_token`, 'POST', { refresh_token: viewer.refresh_token }),
    (trx) => trx.updateTable('sessions').set({ counter: 2 }).where('id', '=', id).execute(),
  )
  expect(status).toBe(200)
  expect(await rows()).toEqual([{ counter: 2 }])
})

it('a sign-in with a password that is changed concurrently is refused', async () => {
  const viewer = await signUp(auth)
  const { body } = await meanwhile(
    (trx) => trx.selectFrom('users').selectAll().where('id', '=', viewer.user.id).forUpdate().execute(),
    () => call(`${auth.url}/token?grant_type=password`, 'POST', { email: viewer.email, password: PASSWORD }),
    (trx) =>
      trx.updateTable('users').set({ passwordHash: 'another' }).where('id', '=', viewer.user.id).execute(),
  )
  expect(body.code).toBe('invalid_credentials')
  const sessions = await auth.db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', viewer.user.id)
    .execute()
  expect(sessions).toHaveLength(1)
})

describe('a change that waited while its session', () => {
  const send = (method: string, path: string, session: TestSession, body?: object): Promise<Answer> =>
    call(`${auth.url}${path}`, method, body, { ...VERSION, ...session.headers })
  const changes: [string, (session: TestSession) => Promise<Answer>][] = [
    ['a password', (session) => send('PUT', '/user', session, { password: 'of the thief, a long one' })],
    ['an email', (session) => send('PUT', '/user', session, { email: newEmail() })],
    ['a factor', (session) => send('POST', '/factors', session, { factor_type: 'totp', friendly_name: 'A' })],
    ['a passkey', (session) => send('DELETE', `/passkeys/${session.user.id}`, session)],
    ['an identity', (session) => send('DELETE', `/user/identities/${session.user.id}`, session)],
    [
      'an access token',
      (session) => api(auth, 'POST', '/me/tokens', session, { name: 'A', scopes: ['read'], lifetimeDays: 7 }),
    ],
  ]
  const lockUser = (trx: Transaction<Database>, id: string) =>
    trx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
  const during = async (
    change: (session: TestSession) => Promise<Answer>,
    session: TestSession,
    work: (trx: Transaction<Database>, sessionId: string) => Promise<unknown>,
  ): Promise<Answer> =>
    meanwhile(
      (trx) => lockUser(trx, session.user.id),
      () => change(session),
      (trx) => work(trx, String(decodeJwt(session.access_token).session_id)),
    )

  it.each(changes)('was ended is refused: %s', async (_what, change) => {
    const session = await signUp(auth)
    const { body } = await during(change, session, (trx, id) =>
      trx.deleteFrom('sessions').where('id', '=', id).execute(),
    )
    expect(['session_not_found', 'unauthorized']).toContain(body.code)
  })

  it.each(changes)('got newer tokens is refused: %s', async (_what, change) => {
    const session = await signUp(auth)
    const { body } = await during(change, session, async (trx, id) => {
      await trx.updateTable('sessions').set({ counter: 2 }).where('id', '=', id).execute()
      const row = { id, minGeneration: 2, until: new Date(auth.clock.now() + 3_600_000) }
      await trx.insertInto('outdatedSessions').values(row).execute()
    })
    expect(['bad_jwt', 'unauthorized']).toContain(body.code)
  })

  it('lost its second factor is refused', async () => {
    const owner = await signUp(auth)
    const { session, id } = await withFactor(auth, owner)
    const elevated = { ...owner, headers: bearerOf(session.access_token) }
    const { body } = await meanwhile(
      (trx) => lockUser(trx, owner.user.id),
      () => send('POST', '/factors/recovery-codes', elevated),
      (trx) =>
        trx
          .updateTable('sessions')
          .set({ factorId: null, factorMethod: null, factorVerifiedAt: null })
          .where('factorId', '=', id)
          .execute(),
    )
    expect(body.code).toBe('insufficient_aal')
  })
})
