import { until } from '@looptide/testkit/until'
import { describe, expect, it, vi } from 'vitest'
import { call, newAddress, PASSWORD, SITE, type TestAuth } from '../_util.ts'
import { member, memory, type Stage, tab } from './tab.ts'

export function signingInSuite(stage: Stage): void {
  describe('signing in', () => {
    it('by password', async () => {
      const { email } = await member(stage.open)
      const { client } = tab(stage.open)
      const good = await client.signInWithPassword({ email: email.toUpperCase(), password: PASSWORD })
      expect(good.data.session?.user.email).toBe(email)
      for (const address of [email, 'nobody@example.test']) {
        const { error } = await client.signInWithPassword({ email: address, password: 'not the password' })
        expect(error).toMatchObject({
          status: 400,
          code: 'invalid_credentials',
          message: 'Invalid login credentials',
        })
      }
    })

    it('by magic link, on the page and by code', async () => {
      const email = newAddress()
      const { client, events } = tab(stage.open)
      const sent = await client.signInWithOtp({
        email,
        options: { shouldCreateUser: true, emailRedirectTo: SITE, data: { full_name: 'Grace' } },
      })
      expect(sent.error).toBeNull()
      const mail = await stage.open.sink.latest(email)
      const { data } = await client.verifyOtp({ type: 'magiclink', token_hash: mail.tokenHash })
      expect(data.session?.user.user_metadata).toEqual({ full_name: 'Grace' })
      await until('it was told', () => events.includes('SIGNED_IN'))
      await client.signInWithOtp({ email })
      await until('the second mail is there', () => stage.open.sink.to(email).length === 2)
      const code = stage.open.sink.to(email)[1]!.code
      expect((await tab(stage.open).client.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull()
      expect(
        (await tab(stage.open).client.verifyOtp({ email, token: code, type: 'email' })).error?.code,
      ).toBe('otp_expired')
      const refused = await client.signInWithOtp({
        email: newAddress(),
        options: { shouldCreateUser: false },
      })
      expect(refused.error).toMatchObject({ code: 'otp_disabled', message: 'Signups not allowed for otp' })
    })

    /** As a browser that opens `href` would start the client. */
    async function land(
      auth: TestAuth,
      href: string,
      storage = memory(),
      flowType: 'implicit' | 'pkce' = 'implicit',
    ) {
      const location = { href }
      const noListener = () => undefined
      vi.stubGlobal('document', { visibilityState: 'hidden', addEventListener: noListener })
      vi.stubGlobal('window', {
        location,
        history: {
          state: null,
          replaceState: (_state: unknown, _title: string, url: string) => {
            location.href = url
          },
        },
        addEventListener: noListener,
        removeEventListener: noListener,
      })
      const one = tab(auth, storage, { detectSessionInUrl: true, flowType })
      const { error } = await one.client.initialize()
      return { ...one, error, location }
    }

    async function linkOf(auth: TestAuth, email: string, type: string) {
      const mail = await auth.sink.latest(email, type)
      const url = `${auth.url}/verify?token=${mail.tokenHash}&type=${type}&redirect_to=${SITE}/welcome`
      return (await call(url, 'GET')).headers.get('location') ?? ''
    }

    it('by a followed link, implicit', async () => {
      const email = newAddress()
      await tab(stage.open).client.signInWithOtp({ email })
      const landed = await land(stage.open, await linkOf(stage.open, email, 'magiclink'))
      expect(landed.error).toBeNull()
      expect((await landed.client.getSession()).data.session?.user.email).toBe(email)
      await until('it was told', () => landed.events.includes('SIGNED_IN'))
    })

    it('by a followed link that was used before: an error, no session', async () => {
      const email = newAddress()
      await tab(stage.open).client.signInWithOtp({ email })
      await linkOf(stage.open, email, 'magiclink')
      const landed = await land(stage.open, await linkOf(stage.open, email, 'magiclink'))
      expect(landed.error).toMatchObject({
        message: 'Email link is invalid or has expired',
        details: { error: 'access_denied', code: 'otp_expired' },
      })
      expect((await landed.client.getSession()).data.session).toBeNull()
    })

    it('by a followed link with PKCE, in the browser that asked', async () => {
      const email = newAddress()
      const storage = memory()
      await tab(stage.open, storage, { flowType: 'pkce' }).client.signInWithOtp({ email })
      const href = await linkOf(stage.open, email, 'magiclink')
      expect(new URL(href).searchParams.get('code')).toEqual(expect.any(String))
      expect(href).not.toContain('access_token')
      const other = await land(stage.open, href, memory(), 'pkce')
      expect((await other.client.getSession()).data.session).toBeNull()
      const landed = await land(stage.open, href, storage, 'pkce')
      expect(landed.error).toBeNull()
      expect((await landed.client.getSession()).data.session?.user.email).toBe(email)
      expect(landed.location.href).not.toContain('code=')
    })

    it('by a PKCE link that was used before: an error', async () => {
      const email = newAddress()
      const storage = memory()
      await tab(stage.open, storage, { flowType: 'pkce' }).client.signInWithOtp({ email })
      await linkOf(stage.open, email, 'magiclink')
      const landed = await land(stage.open, await linkOf(stage.open, email, 'magiclink'), storage, 'pkce')
      expect(landed.error).toMatchObject({ details: { code: 'otp_expired' } })
    })

    it('by PKCE codes: wrong verifier, unknown code', async () => {
      const email = newAddress()
      const storage = memory()
      const { client } = tab(stage.open, storage, { flowType: 'pkce' })
      await client.signInWithOtp({ email })
      const code = new URL(await linkOf(stage.open, email, 'magiclink')).searchParams.get('code') ?? ''
      for (const key of storage.texts.keys()) {
        if (key.includes('verifier')) storage.texts.set(key, JSON.stringify('x'.repeat(56)))
      }
      expect((await client.exchangeCodeForSession(code)).error?.code).toBe('bad_code_verifier')
      await client.signInWithOtp({ email })
      expect((await client.exchangeCodeForSession('unknown')).error?.code).toBe('flow_state_not_found')
    })

    it('after a recovery, to choose a new password', async () => {
      const { email } = await member(stage.open)
      const { client } = tab(stage.open)
      expect((await client.resetPasswordForEmail(email, { redirectTo: `${SITE}/reset` })).error).toBeNull()
      expect((await client.resetPasswordForEmail('nobody@example.test')).error).toBeNull()
      const landed = await land(stage.open, await linkOf(stage.open, email, 'recovery'))
      await until('it was told', () => landed.events.includes('PASSWORD_RECOVERY'))
      expect((await landed.client.updateUser({ password: PASSWORD })).error?.code).toBe('same_password')
      expect((await landed.client.updateUser({ password: 'a wholly new one' })).error).toBeNull()
      expect((await client.signInWithPassword({ email, password: 'a wholly new one' })).error).toBeNull()
    })
  })
}
