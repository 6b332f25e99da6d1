import { describe, expect, it } from 'vitest'
import { Vault } from '../../src/crypto/vault.ts'
import { SigningKeys } from '../../src/features/keys/signing-keys.ts'
import { call } from '../_util.ts'
import { member, type Stage, tab } from './tab.ts'

export function keysSuite(stage: Stage): void {
  describe('keys', () => {
    it('let the client read claims by itself, across a rotation', async () => {
      const asked: string[] = []
      const counting: typeof fetch = (input, init) => {
        asked.push(new URL(String(input)).pathname)
        return fetch(input, init)
      }
      const { storage, session, email } = await member(stage.open)
      const { client } = tab(stage.open, storage, { fetch: counting })
      expect((await client.getClaims()).data?.claims).toMatchObject({
        sub: session.user.id,
        email,
        aal: 'aal1',
      })
      await client.getClaims()
      const keys = new SigningKeys({
        db: stage.open.db,
        vault: new Vault(stage.open.config.keySecret),
        accessTokenTtlS: 3600,
        now: stage.open.clock.now,
        warn: () => undefined,
      })
      await keys.rotate()
      stage.open.clock.advance(16_000)
      // Each replica reads the keys anew within five seconds; the request for them does it at once.
      await call(`${stage.open.url}/.well-known/jwks.json`, 'GET')
      await client.refreshSession()
      const fresh = await client.getClaims()
      expect(fresh.data?.header.kid).not.toBe((await client.getClaims(session.access_token)).data?.header.kid)
      expect(asked.filter((path) => path.endsWith('jwks.json'))).toHaveLength(2)
    })

    it('refuse a token that was changed', async () => {
      const { client, session } = await member(stage.open)
      const [header, , signature] = session.access_token.split('.')
      const claims = Buffer.from(JSON.stringify({ sub: 'x', exp: 9_999_999_999 })).toString('base64url')
      expect((await client.getClaims(`${header}.${claims}.${signature}`)).error?.name).toBe(
        'AuthInvalidJwtError',
      )
      expect((await client.getUser(`${header}.${claims}.${signature}`)).error?.code).toBe('bad_jwt')
    })
  })
}
