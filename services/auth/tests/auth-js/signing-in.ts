import { until } from '@looptide/testkit/until'
import { describe, expect, it, vi } from 'vitest'
import { call, newEmail, PASSWORD, SITE, type TestAuth } from '../_harness.ts'
import { type AuthServices, member, memory, tab } from './tab.ts'

export function signingInSuite(services: AuthServices): void {
  describe('signing in', () => {
    it('by password', async () => {
      const { email } = await member(services.open)
      const { client } = tab(services.open)
      const good = await client.signInWithPassword({ email: email.toUpperCase(), password: PASSWORD })
      expect(good.data.session?.user.email).toBe(email)
      for (const tried of [email, 'nobody@example.test']) {
        const { error } = await client.signInWithPassword({ email: tried, password: 'not the password' })
        expect(error).toMatchObject({
          status: 400,
          code: 'invalid_credentials',
          message: 'Invalid login credentials',
        })
      }
    })

    it('by magic link, on the page and by code', async () => {
      const email = newEmail()
      const { client, events } = tab(services.open)
      const sent = await client.signInWithOtp({
        email,
        options: { shouldCreateUser: true, emailRedirectTo: SITE, data: { full_name: 'Grace' } },
      })
      expect(sent.error).toBeNull()
      const mail = await services.open.sink.latest(email)
      const { data } = await client.verifyOtp({ type: 'magiclink', token_hash: mail.tokenHash })
      expect(data.session?.user.user_metadata).toEqual({ full_name: 'Grace' })
      await until('the client is notified', () => events.includes('SIGNED_IN'))
      await client.signInWithOtp({ email })
      await until('the second mail is there', () => services.open.sink.to(email).length === 2)
      const code = services.open.sink.to(email)[1]!.code
      expect(
        (await tab(services.open).client.verifyOtp({ email, token: code, type: 'email' })).error,
      ).toBeNull()
      expect(
        (await tab(services.open).client.verifyOtp({ email, token: code, type: 'email' })).error?.code,
      ).toBe('otp_expired')
      const refused = await client.signInWithOtp({
        email: newEmail(),
        options: { shouldCreateUser: false },
      })
      expect(refused.error).toMatchObject({ code: 'otp_disabled', message: 'Signups not allowed for otp' })
    })

    /** Starts the client as in a browser that opened `href`. */
    async function openLink(
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
      const email = newEmail()
      await tab(services.open).client.signInWithOtp({ email })
      const landed = await openLink(services.open, await linkOf(services.open, email, 'magiclink'))
      expect(landed.error).toBeNull()
      expect((await landed.client.getSession()).data.session?.user.email).toBe(email)
      await until('the client is notified', () => landed.events.includes('SIGNED_IN'))
    })

    it('by a link that was used before fails without a session', async () => {
      const email = newEmail()
      await tab(services.open).client.signInWithOtp({ email })
      await linkOf(services.open, email, 'magiclink')
      const landed = await openLink(services.open, await linkOf(services.open, email, 'magiclink'))
      expect(landed.error).toMatchObject({
        message: 'Email link is invalid or has expired',
        details: { error: 'access_denied', code: 'otp_expired' },
      })
      expect((await landed.client.getSession()).data.session).toBeNull()
    })

    it('by a followed link with PKCE works only in the browser that requested it', async () => {
      const email = newEmail()
      const storage = memory()
      await tab(services.open, storage, { flowType: 'pkce' }).client.signInWithOtp({ email })
      const href = await linkOf(services.open, email, 'magiclink')
      expect(new URL(href).searchParams.get('code')).toEqual(expect.any(String))
      expect(href).not.toContain('access_token')
      const other = await openLink(services.open, href, memory(), 'pkce')
      expect((await other.client.getSession()).data.session).toBeNull()
      const landed = await openLink(services.open, href, storage, 'pkce')
      expect(landed.error).toBeNull()
      expect((await landed.client.getSession()).data.session?.user.email).toBe(email)
      expect(landed.location.href).not.toContain('code=')
    })

    it('by a PKCE link that was used before fails', async () => {
      const email = newEmail()
      const storage = memory()
      await tab(services.open, storage, { flowType: 'pkce' }).client.signInWithOtp({ email })
      await linkOf(services.open, email, 'magiclink')
      const landed = await openLink(
        services.open,
        await linkOf(services.open, email, 'magiclink'),
        storage,
        'pkce',
      )
      expect(landed.error).toMatchObject({ details: { code: 'otp_expired' } })
    })

    it('by a PKCE code fails with a wrong verifier or an unknown code', async () => {
      const email = newEmail()
      const storage = memory()
      const { client } = tab(services.open, storage, { flowType: 'pkce' })
      await client.signInWithOtp({ email })
      const code = new URL(await linkOf(services.open, email, 'magiclink')).searchParams.get('code') ?? ''
      for (const key of storage.texts.keys()) {
        if (key.includes('verifier')) storage.texts.set(key, JSON.stringify('x'.repeat(56)))
      }
      expect((await client.exchangeCodeForSession(code)).error?.code).toBe('bad_code_verifier')
      await client.signInWithOtp({ email })
      expect((await client.exchangeCodeForSession('unknown')).error?.code).toBe('flow_state_not_found')
    })

    it('by a recovery link allows a new password', async () => {
      const { email } = await member(services.open)
      const { client } = tab(services.open)
      expect((await client.resetPasswordForEmail(email, { redirectTo: `${SITE}/reset` })).error).toBeNull()
      expect((await client.resetPasswordForEmail('nobody@example.test')).error).toBeNull()
      const landed = await openLink(services.open, await linkOf(services.open, email, 'recovery'))
      await until('the client is notified', () => landed.events.includes('PASSWORD_RECOVERY'))
      expect((await landed.client.updateUser({ password: PASSWORD })).error?.code).toBe('same_password')
      expect((await landed.client.updateUser({ password: 'a wholly new one' })).error).toBeNull()
      expect((await client.signInWithPassword({ email, password: 'a wholly new one' })).error).toBeNull()
    })
  })
}
