import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, newEmail, PASSWORD, signUp, startAuth, type TestAuth } from './_harness.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

const DAY_MS = 86_400_000
const tables = [
  'sessions',
  'revokedSessions',
  'oneTimeTokens',
  'mailThrottle',
  'earlierTokens',
  'accountNetworks',
] as const

async function counts(): Promise<Record<string, number>> {
  const pairs = tables.map(async (table) => [
    table,
    (await auth.db.selectFrom(table).selectAll().execute()).length,
  ])
  return Object.fromEntries(await Promise.all(pairs))
}

it('deletes what has expired and nothing else', async () => {
  const { housekeeping } = auth
  const [one, two] = [await signUp(auth), await signUp(auth)]
  await call(`${auth.url}/logout`, 'POST', undefined, one.headers)
  auth.sink.refuse = true
  for (let count = 0; count < 2; count += 1) await call(`${auth.url}/otp`, 'POST', { email: two.email })
  const fresh = {
    sessions: 1,
    revokedSessions: 1,
    oneTimeTokens: 1,
    // Kind and day, of the owner's network and of the mailbox.
    mailThrottle: 4,
    earlierTokens: 1,
    accountNetworks: 2,
  }
  await housekeeping.run()
  expect(await counts()).toEqual(fresh)
  auth.clock.advance(DAY_MS)
  await housekeeping.run()
  expect(await counts()).toEqual({
    sessions: 1,
    revokedSessions: 0,
    oneTimeTokens: 0,
    mailThrottle: 0,
    earlierTokens: 0,
    accountNetworks: 2,
  })
  auth.clock.advance(91 * DAY_MS)
  await housekeeping.run()
  expect(await counts()).toMatchObject({ sessions: 0, accountNetworks: 0 })
  expect((await auth.db.selectFrom('users').selectAll().execute()).length).toBe(2)
})

it('deletes accounts unconfirmed for a week, and publishes it', async () => {
  const confirming = await startAuth({ MAIL_CONFIRMATION: 'on' })
  const { housekeeping } = confirming
  const register = async (email: string) =>
    (await call(`${confirming.url}/signup`, 'POST', { email, password: PASSWORD })).body.id as string
  const [forgotten, resent, confirmed] = [newEmail(), newEmail(), newEmail()]
  const forgottenId = await register(forgotten)
  await register(resent)
  await register(confirmed)
  const { tokenHash } = await confirming.sink.latest(confirmed)
  await call(`${confirming.url}/verify`, 'POST', { type: 'signup', token_hash: tokenHash })
  const left = async () =>
    (await confirming.db.selectFrom('users').select('email').orderBy('email').execute()).map(
      (user) => user.email,
    )

  confirming.clock.advance(4 * DAY_MS)
  await call(`${confirming.url}/resend`, 'POST', { type: 'signup', email: resent })
  await housekeeping.run()
  expect(await left()).toHaveLength(3)
  confirming.clock.advance(4 * DAY_MS)
  const deleted = await confirming.listen('auth.user.deleted.v1')
  await housekeeping.run()
  await confirming.service.processAll()
  expect(await left()).toEqual([resent, confirmed].sort())
  expect((await deleted.settled()).map((event) => event.data.userId)).toEqual([forgottenId])
  await deleted.stop()
  // The email is available again.
  expect(await register(forgotten)).not.toBe(forgottenId)
  await confirming.stop()
})
