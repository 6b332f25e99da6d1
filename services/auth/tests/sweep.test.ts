import { afterAll, beforeAll, expect, it } from 'vitest'
import { Sweep } from '../src/sweep.ts'
import { call, signUp, startAuth, type TestAuth } from './_util.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

const DAY_MS = 86_400_000
const tables = ['sessions', 'revokedSessions', 'oneTimeTokens', 'mailThrottle', 'mailOutbox'] as const

async function counts(): Promise<Record<string, number>> {
  const pairs = tables.map(async (table) => [
    table,
    (await auth.db.selectFrom(table).selectAll().execute()).length,
  ])
  return Object.fromEntries(await Promise.all(pairs))
}

it('clears away what has run out and nothing else', async () => {
  const sweep = new Sweep({ db: auth.db, logger: auth.logger, now: auth.clock.now })
  const [one, two] = [await signUp(auth), await signUp(auth)]
  await call(`${auth.url}/logout`, 'POST', undefined, one.headers)
  auth.sink.refuse = true
  await call(`${auth.url}/otp`, 'POST', { email: two.email })
  const fresh = { sessions: 1, revokedSessions: 1, oneTimeTokens: 1, mailThrottle: 1, mailOutbox: 1 }
  await sweep.run()
  expect(await counts()).toEqual(fresh)
  auth.clock.advance(DAY_MS)
  await sweep.run()
  expect(await counts()).toEqual({
    sessions: 1,
    revokedSessions: 0,
    oneTimeTokens: 0,
    mailThrottle: 0,
    mailOutbox: 0,
  })
  auth.clock.advance(91 * DAY_MS)
  await sweep.run()
  expect((await counts()).sessions).toBe(0)
  expect((await auth.db.selectFrom('users').selectAll().execute()).length).toBe(2)
})
