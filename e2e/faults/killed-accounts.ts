import type { Station } from '@looptide/runner/station/station'
import { testAdmin, untilReady } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { until } from '@looptide/testkit/until'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { signIn, signUp } from '../support/people.ts'
import { sized } from '../support/sizes.ts'

const USERS = sized(1, 10)

let station: Station

async function kill(): Promise<void> {
  const pid = station.pids.auth
  await station.kill('auth', 'SIGKILL')
  await until('auth runs again', () => station.pids.auth !== pid && station.pids.auth, { timeoutMs: 60_000 })
  await untilReady(station)
}

/** Turns two-step verification on. Returns the access token of the session that was verified with it. */
async function addAuthenticator(token: string): Promise<string> {
  const client = clientOf(station.url, token)
  const enrolled = { factor_type: 'totp', friendly_name: 'Phone' } as const
  const factor = await client.call('POST /auth/v1/factors', { body: enrolled })
  if (!('totp' in factor)) throw new Error('no app was enrolled')
  const params = { factorId: factor.id }
  const { id } = await client.call('POST /auth/v1/factors/:factorId/challenge', { params })
  const code = new TOTP({ secret: Secret.fromBase32(factor.totp.secret) }).generate()
  const session = await client.call('POST /auth/v1/factors/:factorId/verify', {
    params,
    body: { challenge_id: id, code },
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
        const script = await clientOf(station.url, user.accessToken).call('POST /api/me/tokens', {
          body: { name: 'A script', scopes: ['read'], lifetimeDays: 30 },
        })
        const session = await addAuthenticator(user.accessToken)
        await kill()
        expect((await clientOf(station.url, script.token).send('GET /api/me')).status).toBe(200)
        const withoutCode = await clientOf(
          station.url,
          await signIn(station.url, user.email, user.password),
        ).send('GET /api/me')
        expect(withoutCode.status).toBe(403)
        expect(await withoutCode.json()).toMatchObject({ code: 'second_factor_required' })

        await clientOf(station.url, session).call('DELETE /api/me/tokens/:tokenId', {
          params: { tokenId: script.id },
        })
        await clientOf(station.url, session).call('POST /auth/v1/logout', { query: { scope: 'global' } })
        await kill()
        expect((await clientOf(station.url, script.token).send('GET /api/me')).status).toBe(401)
        expect((await clientOf(station.url, session).send('GET /api/me')).status).toBe(401)
      }
    }, 600_000)

    it('each change is in the audit log once', async () => {
      const admin = await signIn(station.url, testAdmin.email, testAdmin.password)
      const countOf = async (action: string) =>
        (await clientOf(station.url, admin).call('GET /api/audit', { query: { action, limit: 100 } })).items
          .length
      await until('all entries have arrived', async () => (await countOf('personal_token.revoke')) >= USERS)
      expect([await countOf('personal_token.create'), await countOf('personal_token.revoke')]).toEqual([
        USERS,
        USERS,
      ])
    })
  })
}
