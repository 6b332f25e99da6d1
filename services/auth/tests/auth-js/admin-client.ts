import { until } from '@looptide/testkit/until'
import { GoTrueAdminApi } from '@supabase/auth-js'
import { expect } from 'vitest'
import type { TestAuth } from '../_harness.ts'

export const SERVICE_KEY = 'a service key for tests, of 32 letters'.replaceAll(' ', '-')
export const PREVIOUS_SERVICE_KEY = SERVICE_KEY.replace('a-', 'previous-')

export const UNKNOWN = '01900000-0000-7000-8000-000000000000'

/** The admin client as supabase-js makes it from a secret key. */
export const adminOf = (auth: TestAuth, key = SERVICE_KEY) =>
  new GoTrueAdminApi({ url: auth.url, headers: { apikey: key, Authorization: `Bearer ${key}` } })

/** Runs `work`, then waits for the audit entries of these actions on the user that it returns. */
export async function expectAudited(
  auth: TestAuth,
  actions: string[],
  work: () => Promise<string>,
): Promise<void> {
  const recorder = await auth.listen('auth.audit.recorded.v1')
  const userId = await work()
  const entries = () => recorder.received().filter(({ data }) => data.targetUserId === userId)
  await until('all entries are published', () => entries().length >= actions.length)
  await recorder.stop()
  expect(entries().map(({ data }) => data.action)).toEqual(actions)
  for (const { actorId, data } of entries()) {
    expect([actorId, data.details]).toEqual([null, { by: 'service key' }])
  }
  expect(JSON.stringify(entries())).not.toContain('@example.test')
}
