import type { AuditPage } from '@looptide/contracts/http/admin'
import type { CreatedPersonalToken } from '@looptide/contracts/http/personal-tokens'
import type { Station } from '@looptide/runner/station/station'
import { testAdmin } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { untilReady } from '@looptide/testkit/until-ready'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { signIn, signUp } from '../support/people.ts'
import { sized } from '../support/sizes.ts'

const USERS = sized(1, 10)

let station: Station

async function send(token: string, method: string, path: string, body?: object) {
  const response = await fetch(station.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** Sends a request that must succeed and returns the response's body. */
async function ask<T>(token: string, method: string, path: string, body?: object): Promise<T> {
  const { status, text } = await send(token, method, path, body)
  if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text}`)
  return (text === '' ? null : JSON.parse(text)) as T
}

async function kill(): Promise<void> {
  const pid = station.pids.auth
  await station.kill('auth', 'SIGKILL')
  await until('auth runs again', () => station.pids.auth !== pid && station.pids.auth, { timeoutMs: 60_000 })
  await untilReady(station)
}

/** Turns two-step verification on. Returns the access token of the session that was verified with it. */
async function addAuthenticator(token: string): Promise<string> {
  const enrolled = { factor_type: 'totp', friendly_name: 'Phone' }
  const factor = await ask<{ id: string; totp: { secret: string } }>(
    token,
    'POST',
    '/auth/v1/factors',
    enrolled,
  )
  const path = `/auth/v1/factors/${factor.id}`
  const { id } = await ask<{ id: string }>(token, 'POST', `${path}/challenge`)
  const code = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) }).generate()
  const session = await ask<{ access_token: string }>(token, 'POST', `${path}/verify`, {
    challenge_id: id,
    code,
  })
  return session.access_token
}

/** Accounts survive kills of auth. */
export function describeKilledAccounts(running: () => Station): void {
  describe('accounts', () => {
    beforeAll(() => {
      station = running()
    })

    it(`factors, tokens and ended sessions survive ${2 * USERS} kills of auth`, async () => {
      for (let number = 0; number < USERS; number += 1) {
        const user = await signUp(station.url, 'killed')
        const wanted = { name: 'A script', scopes: ['read'], lifetimeDays: 30 }
        const script = await ask<CreatedPersonalToken>(user.accessToken, 'POST', '/api/me/tokens', wanted)
        const session = await addAuthenticator(user.accessToken)
        await kill()
        expect((await send(script.token, 'GET', '/api/me')).status).toBe(200)
        const withoutCode = await send(await signIn(station.url, user.email, user.password), 'GET', '/api/me')
        expect([withoutCode.status, JSON.parse(withoutCode.text).code]).toEqual([
          403,
          'second_factor_required',
        ])

        await ask(session, 'DELETE', `/api/me/tokens/${script.id}`)
        await ask(session, 'POST', '/auth/v1/logout?scope=global')
        await kill()
        expect((await send(script.token, 'GET', '/api/me')).status).toBe(401)
        expect((await send(session, 'GET', '/api/me')).status).toBe(401)
      }
    }, 600_000)

    it('each change is in the audit log once', async () => {
      const admin = await signIn(station.url, testAdmin.email, testAdmin.password)
      const countOf = async (action: string) =>
        (await ask<AuditPage>(admin, 'GET', `/api/audit?action=${action}&limit=100`)).items.length
      await until('all entries have arrived', async () => (await countOf('personal_token.revoke')) >= USERS)
      expect([await countOf('personal_token.create'), await countOf('personal_token.revoke')]).toEqual([
        USERS,
        USERS,
      ])
    })
  })
}
