import { bearerOf } from '@looptide/testkit/client'
import { Secret, TOTP } from 'otpauth'
import { type Answer, call, type TestAuth, type TestSession, VERSION } from './_harness.ts'

const STEP_MS = 30_000

/** The code that an authenticator app shows, `steps` time steps from now. */
export const codeAt = (auth: TestAuth, secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: auth.clock.now() + steps * STEP_MS })

/** Advances the clock to the next time step and returns its code: a code of the same time step is refused. */
export const nextCode = (auth: TestAuth, secret: string): string => {
  auth.clock.advance(STEP_MS)
  return codeAt(auth, secret)
}

/** Requests of a signed-in user about second factors, from the IP `from`. */
export function requestsOf(auth: TestAuth, accessToken: string, from = '203.0.113.7') {
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    call(`${auth.url}${path}`, method, body, {
      ...VERSION,
      ...bearerOf(accessToken),
      'x-forwarded-for': from,
    })
  const challenge = async (id: string): Promise<string> =>
    (await send('POST', `/factors/${id}/challenge`, {})).body.id
  return {
    send,
    enroll: (name = 'Phone') =>
      send('POST', '/factors', { factor_type: 'totp', friendly_name: name, issuer: 'Looptide' }),
    challenge,
    answer: (id: string, challengeId: string, code: string) =>
      send('POST', `/factors/${id}/verify`, { challenge_id: challengeId, code }),
    verify: async (id: string, code: string) =>
      send('POST', `/factors/${id}/verify`, { challenge_id: await challenge(id), code }),
    recover: (code: string) => send('POST', '/factors/recovery-codes/verify', { code }),
  }
}

/** Gives a user a verified TOTP factor. Returns it with the session that has `aal2`. */
export async function withFactor(auth: TestAuth, user: TestSession, name = 'Phone') {
  const first = requestsOf(auth, user.access_token)
  const { body: factor } = await first.enroll(name)
  const secret: string = factor.totp.secret
  const { status, body: session } = await first.verify(factor.id, codeAt(auth, secret))
  if (status !== 200) throw new Error(`verify: ${status} ${JSON.stringify(session)}`)
  return { id: factor.id as string, secret, session, requests: requestsOf(auth, session.access_token) }
}
