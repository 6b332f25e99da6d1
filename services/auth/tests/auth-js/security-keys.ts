import { SoftwareAuthenticator } from '@looptide/testkit/software-authenticator'
import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD, SITE } from '../_harness.ts'
import { type AuthServices, member } from './tab.ts'

interface Options<K extends 'create' | 'get'> {
  publicKey: Parameters<SoftwareAuthenticator[K]>[0]
}

/** Defines the browser's WebAuthn API that the stock client uses, with this authenticator. */
function plugIn(authenticator: SoftwareAuthenticator): void {
  type Answer = ReturnType<SoftwareAuthenticator['create'] | SoftwareAuthenticator['get']>
  class PublicKeyCredential {
    // Its own JSON form, as of browsers with WebAuthn Level 3.
    static readonly parseCreationOptionsFromJSON = (options: unknown) => options
    static readonly parseRequestOptionsFromJSON = (options: unknown) => options
    readonly #answer: Answer
    constructor(answer: Answer) {
      this.#answer = answer
    }
    toJSON(): Answer {
      return this.#answer
    }
  }
  const credentials = {
    create: async ({ publicKey }: Options<'create'>) =>
      new PublicKeyCredential(authenticator.create(publicKey)),
    get: async ({ publicKey }: Options<'get'>) => new PublicKeyCredential(authenticator.get(publicKey)),
  }
  vi.stubGlobal('PublicKeyCredential', PublicKeyCredential)
  vi.stubGlobal('navigator', { credentials })
  vi.stubGlobal('document', {})
  vi.stubGlobal('window', { PublicKeyCredential, location: new URL(SITE) })
}

export function securityKeysSuite(services: AuthServices): void {
  const withKey = async () => {
    const one = await member(services.open)
    const authenticator = new SoftwareAuthenticator(SITE)
    plugIn(authenticator)
    const { data, error } = await one.client.mfa.webauthn.register({ friendlyName: 'Key' })
    expect(error).toBeNull()
    const { data: factors } = await one.client.mfa.listFactors()
    return { ...one, authenticator, verified: data!, factorId: factors!.webauthn[0]!.id }
  }
  /** Signs in again, with the first of two steps. */
  const signInAgain = async ({ client, email }: Awaited<ReturnType<typeof member>>) => {
    expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
  }

  describe('a security key', () => {
    it('is registered, which gives the session aal2', async () => {
      const { client, verified, factorId, events } = await withKey()
      expect(decodeJwt(verified.access_token)).toMatchObject({
        aal: 'aal2',
        amr: [{ method: 'mfa/webauthn' }, { method: 'password' }],
      })
      expect(events).toContain('MFA_CHALLENGE_VERIFIED')
      const { data } = await client.mfa.listFactors()
      expect(data).toMatchObject({
        all: [{ id: factorId, factor_type: 'webauthn', friendly_name: 'Key', status: 'verified' }],
        totp: [],
      })
      expect((await client.mfa.webauthn.enroll({ friendlyName: 'Key' })).error?.code).toBe(
        'mfa_factor_name_conflict',
      )
    })

    it('is asked for after a password, and verifies the session', async () => {
      const owner = await withKey()
      const { client, factorId } = owner
      await signInAgain(owner)
      const { data: before } = await client.mfa.getAuthenticatorAssuranceLevel()
      expect(before).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
      expect((await client.mfa.webauthn.authenticate({ factorId })).error).toBeNull()
      const { data } = await client.mfa.getAuthenticatorAssuranceLevel()
      expect(data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' })
      expect((await client.refreshSession()).error).toBeNull()
    })

    it('is used step by step', async () => {
      const { client } = await member(services.open)
      const authenticator = new SoftwareAuthenticator(SITE)
      plugIn(authenticator)
      const { data: factor } = await client.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
      expect(factor).toEqual({ id: expect.any(String), type: 'webauthn', friendly_name: 'Key' })
      const factorId = factor!.id
      for (const type of ['create', 'request'] as const) {
        const webauthn = { rpId: 'localhost', rpOrigins: [SITE] }
        const { data: challenge } = await client.mfa.challenge({ factorId, webauthn })
        expect(challenge).toMatchObject({ type: 'webauthn', webauthn: { type } })
        const { data } = await client.mfa.webauthn.challenge({ factorId, webauthn })
        const { challengeId } = data!
        const answer = { ...data!.webauthn, rpId: 'localhost' }
        expect((await client.mfa.verify({ factorId, challengeId, webauthn: answer })).error).toBeNull()
        const again = await client.mfa.verify({ factorId, challengeId, webauthn: answer })
        expect(again.error?.code).toBe('mfa_factor_not_found')
      }
    })

    it('is removed, and the session returns to aal1 when it is refreshed', async () => {
      const { client, factorId } = await withKey()
      expect((await client.mfa.unenroll({ factorId })).data).toEqual({ id: factorId })
      await client.refreshSession()
      const { data } = await client.mfa.getAuthenticatorAssuranceLevel()
      expect(data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
    })

    it('of another person, or one that was copied, is refused', async () => {
      const owner = await withKey()
      const { client, factorId, authenticator } = owner
      await signInAgain(owner)
      vi.unstubAllGlobals()
      await withKey()
      const refused = { status: 400, code: 'webauthn_verification_failed' }
      expect((await client.mfa.webauthn.authenticate({ factorId })).error).toMatchObject(refused)
      plugIn(authenticator)
      authenticator.counter = 0
      expect((await client.mfa.webauthn.authenticate({ factorId })).error).toMatchObject(refused)
      expect((await client.mfa.webauthn.authenticate({ factorId })).error).toBeNull()
    })
  })
}
