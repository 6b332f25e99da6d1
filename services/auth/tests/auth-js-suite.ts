import { createRequire } from 'node:module'
import { until } from '@looptide/testkit/until'
import { type AuthChangeEvent, AuthClient, type SupportedStorage } from '@supabase/auth-js'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Vault } from '../src/crypto/vault.ts'
import { SigningKeys } from '../src/features/keys/signing-keys.ts'
import { call, newAddress, PASSWORD, SITE, type TestAuth } from './_util.ts'

function memory(): SupportedStorage & { texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  }
}

type Options = ConstructorParameters<typeof AuthClient>[0]
/** A tab. Tabs of one browser share their storage. */
function tab(auth: TestAuth, storage = memory(), options: Options = {}) {
  const client = new AuthClient({
    url: auth.url,
    headers: { apikey: 'looptide-public', Authorization: 'Bearer looptide-public' },
    storage,
    storageKey: 'session',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    ...options,
  })
  const events: AuthChangeEvent[] = []
  client.onAuthStateChange((event) => void events.push(event))
  return { client, events, storage }
}

const stored = (storage: ReturnType<typeof memory>) => JSON.parse(storage.texts.get('session') ?? 'null')
/** Makes the stored session look as if it had `seconds` left. */
function age(storage: ReturnType<typeof memory>, seconds: number) {
  const session = stored(storage)
  session.expires_at = Math.round(Date.now() / 1000) + seconds
  storage.texts.set('session', JSON.stringify(session))
}

/**
 * The client that the web app uses, unmodified, against the service: what of the wire contract (§1, §2,
 * §5) a client would notice.
 */
export function authJsSuite(start: (env?: Record<string, string>) => Promise<TestAuth>): void {
  let open: TestAuth
  let confirming: TestAuth
  beforeAll(async () => {
    open = await start()
    confirming = await start({ MAIL_CONFIRMATION: 'on' })
  })
  afterAll(async () => {
    await open.stop()
    await confirming.stop()
  })
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })

  async function member(auth = open) {
    const email = newAddress()
    const one = tab(auth)
    const { data, error } = await one.client.signUp({ email, password: PASSWORD })
    expect(error).toBeNull()
    return { ...one, email, session: data.session! }
  }

  describe('the version and constants we are built for', () => {
    const require = createRequire(import.meta.url)
    it('is 2.119.0: a tick of 30 s, three ticks, keys for ten minutes', () => {
      expect(require('@supabase/auth-js/package.json').version).toBe('2.119.0')
      expect(require('@supabase/auth-js/dist/main/lib/constants.js')).toMatchObject({
        AUTO_REFRESH_TICK_DURATION_MS: 30_000,
        AUTO_REFRESH_TICK_THRESHOLD: 3,
        JWKS_TTL: 600_000,
        REFRESH_FAILURE_COOLDOWN_MS: 60_000,
      })
    })
  })

  describe('signing up', () => {
    it('gives a session at once where no confirmation is asked for', async () => {
      const email = newAddress()
      const { client, events } = tab(open)
      const { data, error } = await client.signUp({
        email,
        password: PASSWORD,
        options: { data: { full_name: 'Ada' }, emailRedirectTo: SITE },
      })
      expect(error).toBeNull()
      expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
      expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ada' } })
      await until('it was told', () => events.includes('SIGNED_IN'))
      expect((await client.getUser()).data.user?.id).toBe(data.user?.id)
    })

    it('names what is wrong by code', async () => {
      const { email } = await member()
      const { client } = tab(open)
      expect((await client.signUp({ email, password: PASSWORD })).error).toMatchObject({
        code: 'user_already_exists',
        status: 422,
      })
      expect((await client.signUp({ email: newAddress(), password: 'short' })).error).toMatchObject({
        name: 'AuthWeakPasswordError',
        code: 'weak_password',
        reasons: ['length'],
      })
      expect((await client.signUp({ email: 'no address', password: PASSWORD })).error).toMatchObject({
        code: 'validation_failed',
      })
      expect((await client.signUp({ phone: '123456', password: PASSWORD })).error).toMatchObject({
        code: 'phone_provider_disabled',
      })
      expect((await client.signInAnonymously()).error).toMatchObject({ code: 'anonymous_provider_disabled' })
    })

    it('gives a user without a session where the address must be confirmed', async () => {
      const { client } = tab(confirming)
      const email = newAddress()
      const { data, error } = await client.signUp({ email, password: PASSWORD })
      expect(error).toBeNull()
      expect(data.session).toBeNull()
      expect(data.user?.identities).toHaveLength(1)
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe(
        'email_not_confirmed',
      )
      const mail = await confirming.sink.latest(email)
      expect((await client.resend({ type: 'signup', email })).error).toBeNull()
      await until('the second mail is there', () => confirming.sink.to(email).length === 2)
      const second = confirming.sink.to(email).at(-1)!
      expect((await client.verifyOtp({ type: 'signup', token_hash: mail.tokenHash })).error?.code).toBe(
        'otp_expired',
      )
      const verified = await client.verifyOtp({ email, token: second.code, type: 'signup' })
      expect(verified.data.session?.access_token).toEqual(expect.any(String))
      const again = await client.signUp({ email, password: PASSWORD })
      expect([again.error, again.data.session, again.data.user?.identities]).toEqual([null, null, []])
    })
  })

  describe('signing in', () => {
    it('by password', async () => {
      const { email } = await member()
      const { client } = tab(open)
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
      const { client, events } = tab(open)
      const sent = await client.signInWithOtp({
        email,
        options: { shouldCreateUser: true, emailRedirectTo: SITE, data: { full_name: 'Grace' } },
      })
      expect(sent.error).toBeNull()
      const mail = await open.sink.latest(email)
      const { data } = await client.verifyOtp({ type: 'magiclink', token_hash: mail.tokenHash })
      expect(data.session?.user.user_metadata).toEqual({ full_name: 'Grace' })
      await until('it was told', () => events.includes('SIGNED_IN'))
      await client.signInWithOtp({ email })
      await until('the second mail is there', () => open.sink.to(email).length === 2)
      const code = open.sink.to(email)[1]!.code
      expect((await tab(open).client.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull()
      expect((await tab(open).client.verifyOtp({ email, token: code, type: 'email' })).error?.code).toBe(
        'otp_expired',
      )
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
      await tab(open).client.signInWithOtp({ email })
      const landed = await land(open, await linkOf(open, email, 'magiclink'))
      expect(landed.error).toBeNull()
      expect((await landed.client.getSession()).data.session?.user.email).toBe(email)
      await until('it was told', () => landed.events.includes('SIGNED_IN'))
    })

    it('by a followed link that was used before: an error, no session', async () => {
      const email = newAddress()
      await tab(open).client.signInWithOtp({ email })
      await linkOf(open, email, 'magiclink')
      const landed = await land(open, await linkOf(open, email, 'magiclink'))
      expect(landed.error).toMatchObject({
        message: 'Email link is invalid or has expired',
        details: { error: 'access_denied', code: 'otp_expired' },
      })
      expect((await landed.client.getSession()).data.session).toBeNull()
    })

    it('by a followed link with PKCE, in the browser that asked', async () => {
      const email = newAddress()
      const storage = memory()
      await tab(open, storage, { flowType: 'pkce' }).client.signInWithOtp({ email })
      const href = await linkOf(open, email, 'magiclink')
      expect(new URL(href).searchParams.get('code')).toEqual(expect.any(String))
      expect(href).not.toContain('access_token')
      const other = await land(open, href, memory(), 'pkce')
      expect((await other.client.getSession()).data.session).toBeNull()
      const landed = await land(open, href, storage, 'pkce')
      expect(landed.error).toBeNull()
      expect((await landed.client.getSession()).data.session?.user.email).toBe(email)
      expect(landed.location.href).not.toContain('code=')
    })

    it('by a PKCE link that was used before: an error', async () => {
      const email = newAddress()
      const storage = memory()
      await tab(open, storage, { flowType: 'pkce' }).client.signInWithOtp({ email })
      await linkOf(open, email, 'magiclink')
      const landed = await land(open, await linkOf(open, email, 'magiclink'), storage, 'pkce')
      expect(landed.error).toMatchObject({ details: { code: 'otp_expired' } })
    })

    it('by PKCE codes: wrong verifier, unknown code', async () => {
      const email = newAddress()
      const storage = memory()
      const { client } = tab(open, storage, { flowType: 'pkce' })
      await client.signInWithOtp({ email })
      const code = new URL(await linkOf(open, email, 'magiclink')).searchParams.get('code') ?? ''
      for (const key of storage.texts.keys()) {
        if (key.includes('verifier')) storage.texts.set(key, JSON.stringify('x'.repeat(56)))
      }
      expect((await client.exchangeCodeForSession(code)).error?.code).toBe('bad_code_verifier')
      await client.signInWithOtp({ email })
      expect((await client.exchangeCodeForSession('unknown')).error?.code).toBe('flow_state_not_found')
    })

    it('after a recovery, to choose a new password', async () => {
      const { email } = await member()
      const { client } = tab(open)
      expect((await client.resetPasswordForEmail(email, { redirectTo: `${SITE}/reset` })).error).toBeNull()
      expect((await client.resetPasswordForEmail('nobody@example.test')).error).toBeNull()
      const landed = await land(open, await linkOf(open, email, 'recovery'))
      await until('it was told', () => landed.events.includes('PASSWORD_RECOVERY'))
      expect((await landed.client.updateUser({ password: PASSWORD })).error?.code).toBe('same_password')
      expect((await landed.client.updateUser({ password: 'a wholly new one' })).error).toBeNull()
      expect((await client.signInWithPassword({ email, password: 'a wholly new one' })).error).toBeNull()
    })
  })

  describe('the user', () => {
    it('is updated', async () => {
      const { client, email, events } = await member()
      const { data } = await client.updateUser({ data: { theme: 'dark' } })
      expect(data.user?.user_metadata).toEqual({ theme: 'dark' })
      await until('it was told', () => events.includes('USER_UPDATED'))
      const next = newAddress()
      expect((await client.updateUser({ email: next }, { emailRedirectTo: SITE })).data.user?.new_email).toBe(
        next,
      )
      const old = await open.sink.latest(email, 'email_change')
      const half = await client.verifyOtp({ type: 'email_change', token_hash: old.tokenHash })
      expect([half.error, half.data.session]).toEqual([null, null])
      const fresh = await open.sink.latest(next, 'email_change')
      const whole = await client.verifyOtp({ type: 'email_change', email: next, token: fresh.code })
      expect(whole.data.user?.email).toBe(next)
      const { email: taken } = await member()
      expect((await client.updateUser({ email: taken })).error?.code).toBe('email_exists')
    })

    it('signs out here, elsewhere or everywhere; the others learn of it', async () => {
      const { client: first, email } = await member()
      const enter = async () => {
        const one = tab(open)
        await one.client.signInWithPassword({ email, password: PASSWORD })
        return one
      }
      const [second, third] = [await enter(), await enter()]
      expect((await first.signOut({ scope: 'local' })).error).toBeNull()
      expect((await second.client.getUser()).error).toBeNull()
      expect((await second.client.signOut({ scope: 'others' })).error).toBeNull()
      const gone = await third.client.getUser()
      expect(gone.error?.name).toBe('AuthSessionMissingError')
      expect((await third.client.getSession()).data.session).toBeNull()
      await until('it was told', () => third.events.includes('SIGNED_OUT'))
      const fourth = await enter()
      expect((await second.client.signOut()).error).toBeNull()
      expect((await fourth.client.getUser()).error?.name).toBe('AuthSessionMissingError')
    })

    it('is told of a ban', async () => {
      const { client, session, email, events, storage } = await member()
      await open.db
        .insertInto('userRestrictions')
        .values({
          id: crypto.randomUUID(),
          userId: session.user.id,
          restrictionType: 'site_banned',
          reason: 'test',
          createdBy: null,
          createdAt: new Date(),
          expiresAt: null,
        })
        .execute()
      expect((await client.refreshSession()).error?.code).toBe('user_banned')
      // The client gives its session up only when the access token has run out as well.
      expect(events).not.toContain('SIGNED_OUT')
      age(storage, -10)
      const reopened = tab(open, storage)
      expect((await reopened.client.getSession()).data.session).toBeNull()
      expect(stored(storage)).toBeNull()
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('user_banned')
      await open.db.deleteFrom('userRestrictions').where('userId', '=', session.user.id).execute()
      expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    })
  })

  describe('refreshing', () => {
    it('happens below 90 s, not above', async () => {
      const { client, storage, session } = await member()
      age(storage, 95)
      expect((await client.getSession()).data.session?.refresh_token).toBe(session.refresh_token)
      age(storage, 85)
      const fresh = (await client.getSession()).data.session
      expect(fresh?.refresh_token).not.toBe(session.refresh_token)
      expect(fresh?.expires_at).toBeGreaterThan(Date.now() / 1000 + 3500)
    })

    it('happens by itself at a tick with three ticks left', async () => {
      const { storage, session } = await member()
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      const { client } = tab(open, storage, { autoRefreshToken: true })
      await client.initialize()
      age(storage, 150)
      await client.startAutoRefresh()
      vi.advanceTimersByTime(30_000)
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect(stored(storage).refresh_token).toBe(session.refresh_token)
      age(storage, 119)
      vi.advanceTimersByTime(30_000)
      await until('it was refreshed', () => stored(storage).refresh_token !== session.refresh_token)
      await client.stopAutoRefresh()
      expect((await client.getUser()).error).toBeNull()
    })

    it('by many browsers that share a session keeps them all, with one successor', async () => {
      const { storage } = await member()
      const browsers = Array.from({ length: 6 }, () => {
        const copy = memory()
        for (const [key, value] of storage.texts) copy.setItem(key, value)
        return tab(open, copy)
      })
      const results = await Promise.all(browsers.map(({ client }) => client.refreshSession()))
      expect(results.map((result) => result.error)).toEqual(Array(6).fill(null))
      expect(new Set(results.map((result) => result.data.session?.refresh_token)).size).toBe(1)
      for (const { client } of browsers) expect((await client.refreshSession()).error).toBeNull()
      for (const { client } of browsers) expect((await client.getUser()).error).toBeNull()
    })

    it('by many tabs at once leaves one good session in their storage', async () => {
      const { storage, session } = await member()
      const tabs = Array.from({ length: 6 }, () => tab(open, storage))
      const results = await Promise.all(tabs.map(({ client }) => client.refreshSession()))
      // A tab that finds the storage changed meanwhile drops its own answer: the client's rule.
      const failed = results.flatMap((result) => (result.error === null ? [] : [result.error.name]))
      expect(failed.length).toBeLessThan(6)
      expect(new Set([...failed, 'AuthRefreshDiscardedError']).size).toBe(1)
      expect(stored(storage).refresh_token).not.toBe(session.refresh_token)
      for (const { client } of tabs) {
        expect((await client.getUser()).error).toBeNull()
        expect((await client.refreshSession()).error).toBeNull()
      }
    })

    it('survives answers that are lost on the way', async () => {
      const { storage, session } = await member()
      let lost = 2
      const lossy: typeof fetch = async (...args) => {
        const response = await fetch(...args)
        lost -= 1
        if (lost >= 0) throw new TypeError('the connection broke')
        return response
      }
      const { client } = tab(open, storage, { fetch: lossy })
      const startedAt = performance.now()
      const { data, error } = await client.refreshSession()
      expect(error).toBeNull()
      // After 200 ms and 400 ms, as the client promises.
      expect(performance.now() - startedAt).toBeGreaterThan(590)
      expect(data.session?.refresh_token).not.toBe(session.refresh_token)
      expect((await client.refreshSession()).error).toBeNull()
    })

    it('keeps the session through an outage and does not ask again at once', async () => {
      const { storage, session } = await member()
      let asked = 0
      const away: typeof fetch = async () => {
        asked += 1
        return new Response(JSON.stringify({ code: 'service_unavailable', message: 'Please try again' }), {
          status: 503,
        })
      }
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
      const { client } = tab(open, storage, { fetch: away })
      const refreshed = client.refreshSession()
      await vi.advanceTimersByTimeAsync(40_000)
      expect((await refreshed).error?.name).toBe('AuthRetryableFetchError')
      const tries = asked
      expect(tries).toBeGreaterThan(5)
      expect((await client.refreshSession()).error?.name).toBe('AuthRetryableFetchError')
      expect(asked).toBe(tries)
      expect(stored(storage).refresh_token).toBe(session.refresh_token)
    })

    it('with a stolen old token ends the session for thief and owner', async () => {
      const { client, session, storage, email } = await member()
      const bystander = tab(open)
      await bystander.client.signInWithPassword({ email, password: PASSWORD })
      await client.refreshSession()
      await client.refreshSession()
      open.clock.advance(11_000)
      const thief = tab(open)
      const theft = await thief.client.refreshSession({ refresh_token: session.refresh_token })
      expect(theft.error).toMatchObject({
        code: 'refresh_token_already_used',
        message: 'Invalid Refresh Token: Already Used',
      })
      expect((await client.refreshSession()).error?.code).toBe('refresh_token_not_found')
      age(storage, -10)
      expect((await tab(open, storage).client.getSession()).data.session).toBeNull()
      expect((await bystander.client.getUser()).error).toBeNull()
    })

    it('with an old token within the reuse interval is forgiven', async () => {
      const { client, session } = await member()
      await client.refreshSession()
      const { data } = await client.refreshSession()
      const late = await tab(open).client.refreshSession({ refresh_token: session.refresh_token })
      expect(late.data.session?.refresh_token).toBe(data.session?.refresh_token)
    })

    it('with nonsense is refused for good', async () => {
      expect((await tab(open).client.refreshSession({ refresh_token: 'nonsense' })).error).toMatchObject({
        status: 400,
        code: 'validation_failed',
      })
    })
  })

  describe('keys', () => {
    it('let the client read claims by itself, across a rotation', async () => {
      const asked: string[] = []
      const counting: typeof fetch = (input, init) => {
        asked.push(new URL(String(input)).pathname)
        return fetch(input, init)
      }
      const { storage, session, email } = await member()
      const { client } = tab(open, storage, { fetch: counting })
      expect((await client.getClaims()).data?.claims).toMatchObject({
        sub: session.user.id,
        email,
        aal: 'aal1',
      })
      await client.getClaims()
      const keys = new SigningKeys({
        db: open.db,
        vault: new Vault(open.config.keySecret),
        accessTokenTtlS: 3600,
        now: open.clock.now,
        warn: () => undefined,
      })
      await keys.rotate()
      open.clock.advance(16_000)
      // Each replica reads the keys anew within five seconds; the request for them does it at once.
      await call(`${open.url}/.well-known/jwks.json`, 'GET')
      await client.refreshSession()
      const fresh = await client.getClaims()
      expect(fresh.data?.header.kid).not.toBe((await client.getClaims(session.access_token)).data?.header.kid)
      expect(asked.filter((path) => path.endsWith('jwks.json'))).toHaveLength(2)
    })

    it('refuse a token that was changed', async () => {
      const { client, session } = await member()
      const [header, , signature] = session.access_token.split('.')
      const claims = Buffer.from(JSON.stringify({ sub: 'x', exp: 9_999_999_999 })).toString('base64url')
      expect((await client.getClaims(`${header}.${claims}.${signature}`)).error?.name).toBe(
        'AuthInvalidJwtError',
      )
      expect((await client.getUser(`${header}.${claims}.${signature}`)).error?.code).toBe('bad_jwt')
    })
  })
}
