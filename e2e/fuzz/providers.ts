import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FuzzFixture } from '../support/fuzz/fixture.ts'
import { awkwardTexts, UNSTORABLE } from '../support/fuzz/hostile-texts.ts'
import { faultsOf } from '../support/fuzz/response-faults.ts'
import { count, seed } from '../support/fuzz/seed.ts'
import { sized } from '../support/sizes.ts'

const CHALLENGE = { code_challenge: 'a'.repeat(43), code_challenge_method: 's256' }
const MANY = sized(60, 3000)

/** A query whose values are hostile texts; lone surrogates become U+FFFD, as browsers send them. */
const queryOf = (values: Record<string, string>) => new URLSearchParams(values).toString()

/** Sign-ins at an OpenID provider with hostile texts in every parameter. */
export function describeProviders(fixture: () => FuzzFixture): void {
  describe('a sign-in at a provider', () => {
    const texts = () =>
      fc.sample(fc.oneof(awkwardTexts(fixture().bait.url), fc.constantFrom(...UNSTORABLE)), {
        numRuns: MANY,
        seed,
      })
    const get = async (path: string) => {
      const request = { requester: 'nobody', method: 'GET', path, headers: {}, body: undefined } as const
      const answer = await fixture().sender.send(request)
      expect({ path, faults: faultsOf(request, answer) }).toEqual({ path, faults: [] })
      count('requests about providers')
      return answer
    }
    const begin = async (more: Record<string, string> = {}) =>
      get(`/auth/v1/authorize?${queryOf({ provider: 'company', ...CHALLENGE, ...more })}`)

    it('is refused for an unknown provider', async () => {
      for (const text of texts()) expect((await begin({ provider: text })).status).toBe(400)
    })

    it('redirects to the provider, and back to the site only, whatever URL is requested', async () => {
      const { provider, station } = fixture()
      for (const text of texts()) {
        const { status, headers } = await begin({ redirect_to: text })
        if (UNSTORABLE.some((part) => text.includes(part))) continue
        const target = new URL(String(headers.location))
        expect([status, target.origin]).toEqual([302, provider.issuer])
        const state = target.searchParams.get('state') ?? ''
        const back = await get(`/auth/v1/callback?${queryOf({ state, error: text || 'x' })}`)
        if (back.status === 303) expect(new URL(String(back.headers.location)).origin).toBe(station.url)
        else expect(back.status).toBe(400)
      }
    })

    it('ends without a session for a forged state, code or issuer', async () => {
      const { station, sender } = fixture()
      for (const text of texts()) {
        const started = await begin()
        const state = new URL(String(started.headers.location)).searchParams.get('state') ?? ''
        for (const values of [
          { state: text, code: 'x' },
          { state, code: text },
          { state, code: 'x', iss: text },
        ]) {
          const { status, headers } = await get(
            `/auth/v1/callback?${queryOf(values as Record<string, string>)}`,
          )
          if (status === 400) continue
          const target = new URL(String(headers.location))
          expect([status, target.origin, target.searchParams.get('code')]).toEqual([303, station.url, null])
        }
        const exchange = {
          requester: 'nobody',
          method: 'POST',
          path: '/auth/v1/token?grant_type=pkce',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ auth_code: `oidc_${text}`, code_verifier: text }),
        } as const
        const answer = await sender.send(exchange)
        expect([faultsOf(exchange, answer), answer.status < 400]).toEqual([[], false])
      }
    })
  })
}
