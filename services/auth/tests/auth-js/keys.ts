import { describe, expect, it } from 'vitest'
import { Vault } from '../../src/crypto/vault.ts'
import { SigningKeys } from '../../src/features/keys/signing-keys.ts'
import { call } from '../_harness.ts'
import { type AuthServices, member, tab } from './tab.ts'

export function keysSuite(services: AuthServices): void {
  describe('keys', () => {
    it('let the client verify claims on its own, across a rotation', async () => {
      const requestedPaths: string[] = []
      const counting: typeof fetch = (input, init) => {
        requestedPaths.push(new URL(String(input)).pathname)
        return fetch(input, init)
      }
      const { storage, session, email } = await member(services.open)
      const { client } = tab(services.open, storage, { fetch: counting })
      expect((await client.getClaims()).data?.claims).toMatchObject({
        sub: session.user.id,
        email,
        aal: 'aal1',
      })
      await client.getClaims()
      const keys = new SigningKeys({
        db: services.open.db,
        vault: new Vault(services.open.config.keySecret),
        accessTokenTtlS: 3600,
        now: services.open.clock.now,
        warn: () => undefined,
      })
      await keys.rotate()
      services.open.clock.advance(16_000)
      // Replicas read the keys periodically; a request for them reads them at once.
      await call(`${services.open.url}/.well-known/jwks.json`, 'GET')
      await client.refreshSession()
      const fresh = await client.getClaims()
      expect(fresh.data?.header.kid).not.toBe((await client.getClaims(session.access_token)).data?.header.kid)
      const keySets = requestedPaths.filter((path) => path.endsWith('jwks.json'))
      expect(keySets).toEqual(Array(2).fill('/auth/v1/.well-known/jwks.json'))
    })

    it('refuse a token that was altered', async () => {
      const { client, session } = await member(services.open)
      const [header, , signature] = session.access_token.split('.')
      const claims = Buffer.from(JSON.stringify({ sub: 'x', exp: 9_999_999_999 })).toString('base64url')
      expect((await client.getClaims(`${header}.${claims}.${signature}`)).error?.name).toBe(
        'AuthInvalidJwtError',
      )
      expect((await client.getUser(`${header}.${claims}.${signature}`)).error?.code).toBe('bad_jwt')
    })
  })
}
