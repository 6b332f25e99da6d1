import type { Role } from '@looptide/contracts/common'
import { type Answer, call, signUp, type TestAuth, type TestSession, VERSION } from './_harness.ts'

/** Sends a POST request to `/auth/v1`. */
export const post = (
  auth: Pick<TestAuth, 'url'>,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => call(`${auth.url}${path}`, 'POST', body, { ...VERSION, ...headers })

/** Signs in by password from the IP `from`. */
export const signIn = (
  auth: Pick<TestAuth, 'url'>,
  email: string,
  password: string,
  from = '203.0.113.1',
): Promise<Answer> =>
  post(auth, '/token?grant_type=password', { email, password }, { 'x-forwarded-for': from })

/** Sends a request to `/api`, as `viewer` if given. */
export const api = (
  auth: TestAuth,
  method: string,
  path: string,
  viewer?: TestSession,
  body?: unknown,
): Promise<Answer> =>
  call(`${auth.service.url}/api${path}`, method, body, viewer === undefined ? {} : { ...viewer.headers })

/** A user who signed up before getting the role. */
export async function staff(auth: TestAuth, role: Exclude<Role, 'user'>): Promise<TestSession> {
  const viewer = await signUp(auth)
  const row = { userId: viewer.user.id, role, grantedBy: null, updatedAt: new Date() }
  await auth.db.insertInto('userRoles').values(row).execute()
  return viewer
}
