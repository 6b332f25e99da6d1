import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { codeAt, nextCode } from '../_authenticator.ts'
import { PASSWORD } from '../_harness.ts'
import { type AuthServices, member, memory, stored, tab } from './tab.ts'

export function factorsSuite(services: AuthServices): void {
  const enrolled = async () => {
    const one = await member(services.open)
    const { data, error } = await one.client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    expect(error).toBeNull()
    return { ...one, factor: data! }
  }
  const verified = async () => {
    const one = await enrolled()
    const { id, totp } = one.factor
    const code = codeAt(services.open, totp.secret)
    const { error } = await one.client.mfa.challengeAndVerify({ factorId: id, code })
    expect(error).toBeNull()
    return one
  }

  describe('a TOTP factor', () => {
    it('is enrolled with a QR code, a secret and a URI', async () => {
      const { client, factor, email } = await enrolled()
      expect(factor).toMatchObject({ type: 'totp', friendly_name: 'Phone' })
      expect(factor.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/)
      expect(factor.totp.secret).toMatch(/^[A-Z2-7]{32}$/)
      const uri = new URL(factor.totp.uri)
      expect(uri.searchParams.get('secret')).toBe(factor.totp.secret)
      expect(decodeURIComponent(uri.pathname)).toContain(email)
      const { data } = await client.mfa.listFactors()
      expect(data).toMatchObject({ all: [{ id: factor.id, status: 'unverified' }], totp: [] })
      const sameName = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
      expect(sameName.error?.code).toBe('mfa_factor_name_conflict')
      expect((await client.mfa.enroll({ factorType: 'phone', phone: '1' })).error?.code).toBe(
        'mfa_phone_enroll_not_enabled',
      )
    })

    it('is verified: the session gets aal2, keeps it when refreshed, and others end', async () => {
      const { client, email, factor, events, storage } = await enrolled()
      const other = tab(services.open, memory())
      await other.client.signInWithPassword({ email, password: PASSWORD })
      const before = await client.mfa.getAuthenticatorAssuranceLevel()
      expect(before.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
      const challenge = await client.mfa.challenge({ factorId: factor.id })
      expect(challenge.data).toMatchObject({ type: 'totp', expires_at: expect.any(Number) })
      const wrong = await client.mfa.verify({
        factorId: factor.id,
        challengeId: challenge.data!.id,
        code: '1',
      })
      expect(wrong.error?.code).toBe('mfa_verification_failed')
      const { error } = await client.mfa.verify({
        factorId: factor.id,
        challengeId: challenge.data!.id,
        code: codeAt(services.open, factor.totp.secret),
      })
      expect(error).toBeNull()
      expect(events).toContain('MFA_CHALLENGE_VERIFIED')
      for (const _time of ['verified', 'refreshed']) {
        const { data } = await client.mfa.getAuthenticatorAssuranceLevel()
        expect(data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' })
        expect(data?.currentAuthenticationMethods).toMatchObject([{ method: 'totp' }, { method: 'password' }])
        expect((await client.refreshSession()).error).toBeNull()
      }
      expect((await client.mfa.listFactors()).data?.totp).toMatchObject([
        { id: factor.id, status: 'verified' },
      ])
      expect(stored(storage).user.factors).toHaveLength(1)
      expect((await other.client.getUser()).error?.name).toBe('AuthSessionMissingError')
    })

    it('is asked for after a password and after a mailed code', async () => {
      const { email, factor } = await verified()
      const byPassword = tab(services.open, memory())
      await byPassword.client.signInWithPassword({ email, password: PASSWORD })
      const byMail = tab(services.open, memory())
      await byMail.client.signInWithOtp({ email })
      const { code } = await services.open.sink.latest(email, 'magiclink')
      await byMail.client.verifyOtp({ type: 'email', email, token: code })
      for (const { client } of [byPassword, byMail]) {
        const { data } = await client.mfa.getAuthenticatorAssuranceLevel()
        expect(data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' })
        const token = (await client.getSession()).data.session!.access_token
        expect(decodeJwt(token)).toMatchObject({ aal: 'aal1', second_factor: 'pending' })
      }
      const { data } = await byMail.client.mfa.challengeAndVerify({
        factorId: factor.id,
        code: nextCode(services.open, factor.totp.secret),
      })
      expect(decodeJwt(data!.access_token)).not.toHaveProperty('second_factor')
    })

    it('is removed, and the session returns to aal1 when it is refreshed', async () => {
      const { client, factor } = await verified()
      expect((await client.mfa.unenroll({ factorId: factor.id })).data).toEqual({ id: factor.id })
      await client.refreshSession()
      const { data } = await client.mfa.getAuthenticatorAssuranceLevel()
      expect(data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' })
      expect((await client.mfa.listFactors()).data?.all).toEqual([])
    })
  })

  it('recovery codes are created, counted, used once and replaced', async () => {
    const { email, factor, storage } = await verified()
    const options = { experimental: { recoveryCodes: true } }
    const { client } = tab(services.open, storage, options)
    const { recoveryCodes } = client.mfa
    expect((await recoveryCodes.getStatus()).error?.code).toBe('mfa_factor_not_found')
    const created = await recoveryCodes.generate({ friendlyName: 'Paper' })
    const codes = created.data!.codes
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{16}$/)
    expect((await recoveryCodes.generate()).error?.code).toBe('mfa_verified_factor_exists')
    const phoneless = tab(services.open, memory(), options)
    await phoneless.client.signInWithPassword({ email, password: PASSWORD })
    const typed = codes[0]!.toUpperCase().match(/.{4}/g)!.join('-')
    const used = await phoneless.client.mfa.recoveryCodes.verify({ code: typed })
    expect(decodeJwt(used.data!.access_token)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
    })
    const again = await phoneless.client.mfa.recoveryCodes.verify({ code: typed })
    expect(again.error?.code).toBe('mfa_verification_failed')
    expect((await recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 })
    const replaced = await phoneless.client.mfa.recoveryCodes.regenerate()
    expect(replaced.data).toMatchObject({ id: created.data!.id, friendly_name: 'Paper', total: 10 })
    expect((await recoveryCodes.verify({ code: codes[1]! })).error?.code).toBe('mfa_verification_failed')
    // The codes are never the only factor.
    await client.mfa.unenroll({ factorId: factor.id })
    expect((await client.mfa.listFactors()).data?.all).toEqual([])
  })
}
