import { until } from '@looptide/testkit/until'
import { decodeJwt } from 'jose'
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { call, PASSWORD, signUp, startAuth, type TestAuth } from './_harness.ts'

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
