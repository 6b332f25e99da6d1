import { DEVICE_GRANT } from '@looptide/contracts/http/devices'
import { type Answer, call, type TestAuth, type TestSession, VERSION } from './_harness.ts'

/** The codes of a device, as its TV gets them. */
export interface StartedDevice {
  device_code: string
  user_code: string
}

/** Sends a form, as stock clients do, from the IP `from`. */
export async function sendForm(
  auth: Pick<TestAuth, 'url'>,
  path: string,
  fields: Record<string, string> | string,
  { from = '198.51.100.7', userAgent = 'Mozilla/5.0 (Web0S; Linux/SmartTV)' } = {},
): Promise<Answer> {
  const response = await fetch(`${auth.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': from,
      'user-agent': userAgent,
    },
    body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Begins to pair a TV with this name. */
export async function startDevice(auth: TestAuth, name = 'Living room TV'): Promise<StartedDevice> {
  const fields = { client_id: 'tv', scope: '', device_name: name }
  const { status, body } = await sendForm(auth, '/device', fields)
  if (status !== 200) throw new Error(`device: ${status} ${JSON.stringify(body)}`)
  return body
}

/** Asks for the session of a TV. */
export const poll = (auth: TestAuth, { device_code }: StartedDevice): Promise<Answer> =>
  sendForm(auth, '/token', { grant_type: DEVICE_GRANT, device_code, client_id: 'tv' })

/** Decides about the TV with this code, from the IP `from`. */
export const decide = (
  auth: TestAuth,
  user: Pick<TestSession, 'headers'>,
  userCode: string,
  decision = 'allow',
  from = '203.0.113.9',
): Promise<Answer> =>
  call(
    `${auth.url}/device/decision`,
    'POST',
    { user_code: userCode, decision },
    { ...VERSION, ...user.headers, 'x-forwarded-for': from },
  )

/** The TV that waits with this code, as the user's page shows it. */
export const lookUp = (
  auth: TestAuth,
  user: Pick<TestSession, 'headers'>,
  userCode: string,
  from = '203.0.113.9',
): Promise<Answer> =>
  call(`${auth.url}/device?user_code=${encodeURIComponent(userCode)}`, 'GET', undefined, {
    ...VERSION,
    ...user.headers,
    'x-forwarded-for': from,
  })

/** Pairs a TV with the account of `user`. Returns the TV's session. */
export async function pairTv(auth: TestAuth, user: TestSession, name?: string): Promise<TestSession> {
  const device = await startDevice(auth, name)
  const decided = await decide(auth, user, device.user_code)
  if (decided.status !== 204) throw new Error(`decision: ${decided.status} ${JSON.stringify(decided.body)}`)
  const { status, body } = await poll(auth, device)
  if (status !== 200) throw new Error(`token: ${status} ${JSON.stringify(body)}`)
  return { ...body, email: user.email, headers: { authorization: `Bearer ${body.access_token}` } }
}
