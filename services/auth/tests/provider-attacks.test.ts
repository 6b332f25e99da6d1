import { startOpenIdProvider } from '@looptide/testkit/openid-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, newEmail, SITE, signUp } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { COMPANY, pkceTab, settingOf, startWithProvider } from './_providers.ts'
import { member } from './auth-js/tab.ts'

let station: Awaited<ReturnType<typeof startWithProvider>>
beforeAll(async () => {
  station = await startWithProvider()
})
afterAll(() => station.stop())

const CHALLENGE = 'a'.repeat(43)
const errorOf = (landed: URL) => landed.searchParams.get('error_code')

describe('a return from a provider', () => {
  it('is accepted once', async () => {
    const { begin, approve, locationOf, codeOf, auth } = station
    const { client } = pkceTab(auth)
    const callback = await approve(await begin(client), station.newLogin())
    const code = codeOf(await locationOf(callback))
    expect(errorOf(await locationOf(callback))).toBe('bad_oauth_state')
    expect((await client.exchangeCodeForSession(code)).error).toBeNull()
    await begin(client)
    expect((await client.exchangeCodeForSession(code)).error?.code).toBe('flow_state_not_found')
  })

  it('with another state, or too late, redirects to the site without a sign-in', async () => {
    const { auth, begin, approve, locationOf, newLogin } = station
    const callback = new URL(await approve(await begin(pkceTab(auth).client), newLogin()))
    for (const state of ['', 'x', 'x\0', 'a'.repeat(43)]) {
      callback.searchParams.set('state', state)
      const answer = await call(callback.href, 'GET')
      const landed = answer.headers.get('location') ?? ''
      expect(landed === '' ? answer.body.code : errorOf(new URL(landed))).toMatch(
        /bad_oauth_state|validation_failed/,
      )
    }
    const late = await approve(await begin(pkceTab(auth).client), newLogin())
    auth.clock.advance(601_000)
    expect(errorOf(await locationOf(late))).toBe('bad_oauth_state')
  })

  it('signs in only the browser that started the flow (login CSRF)', async () => {
    const { auth, begin, land, codeOf } = station
    // The attacker starts a flow and makes the victim's browser open its callback URL.
    const attacker = pkceTab(auth)
    const landed = await land(await begin(attacker.client), station.newLogin())
    const victim = pkceTab(auth)
    await begin(victim.client)
    const { error } = await victim.client.exchangeCodeForSession(codeOf(landed))
    expect(error?.code).toBe('bad_code_verifier')
    expect((await victim.client.getSession()).data.session).toBeNull()
  })

  it('does not link a victim’s login to the account of an attacker who began', async () => {
    const { auth, land, newLogin, signIn } = station
    const attacker = await member(auth)
    const { data } = await pkceTab(auth, attacker.storage).client.linkIdentity({
      provider: COMPANY,
      options: { redirectTo: SITE },
    })
    const login = newLogin()
    // The victim's browser follows the address, and its app has no verifier for the code.
    const landed = await land(data!.url!, login)
    const { error } = await pkceTab(auth).client.exchangeCodeForSession(landed.searchParams.get('code')!)
    expect(error).not.toBeNull()
    expect((await signIn(login)).data.session?.user.id).not.toBe(attacker.session.user.id)
  })

  it('links nothing that began before a change of the password, also in the same session', async () => {
    const { auth, land, newLogin } = station
    const owner = await member(auth)
    const thief = pkceTab(auth, owner.storage)
    const { data } = await thief.client.linkIdentity({ provider: COMPANY, options: { redirectTo: SITE } })
    const landed = await land(data!.url!, newLogin())
    await owner.client.refreshSession()
    expect((await owner.client.updateUser({ password: 'a wholly new one' })).error).toBeNull()
    const { error } = await thief.client.exchangeCodeForSession(landed.searchParams.get('code')!)
    expect(error?.code).toBe('flow_state_not_found')
  })

  it.each([
    ['nonce', 'another nonce'],
    ['code_challenge', CHALLENGE],
  ])('is refused when %s is not what the station sent', async (name, value) => {
    const { auth, begin, land } = station
    const url = new URL(await begin(pkceTab(auth).client))
    url.searchParams.set(name, value)
    expect(errorOf(await land(url.href, station.newLogin()))).toBe('bad_oauth_callback')
  })

  it('is refused with the code of another sign-in (code injection)', async () => {
    const { auth, begin, approve, locationOf, newLogin } = station
    const stolen = new URL(await approve(await begin(pkceTab(auth).client), newLogin()))
    const own = new URL(await approve(await begin(pkceTab(auth).client), newLogin()))
    own.searchParams.set('code', stolen.searchParams.get('code')!)
    expect(errorOf(await locationOf(own.href))).toBe('bad_oauth_callback')
  })

  it('reports that the user cancelled, without the text of the provider', async () => {
    const { auth, begin, land } = station
    const landed = await land(await begin(pkceTab(auth).client), 'nobody')
    expect(landed.href).toContain(`${SITE}/welcome?`)
    expect(landed.searchParams.get('error_description')).toBe(
      'Company refused the sign-in, or it was cancelled.',
    )
  })
})

it('a provider that names another issuer than the settings is not used', async () => {
  const issuer = station.provider.issuer.replace('127.0.0.1', 'localhost')
  const auth = await startForTest({
    OIDC_PROVIDERS: settingOf([
      { ...station.provider, issuer },
      { id: 'company', name: 'Company' },
    ]),
  })
  const query = `provider=company&code_challenge=${CHALLENGE}&code_challenge_method=s256`
  const { headers } = await call(`${auth.url}/authorize?${query}`, 'GET')
  const target = new URL(headers.get('location')!)
  expect([target.origin, errorOf(target)]).toEqual([SITE, 'request_timeout'])
})

it('an answer of another issuer is refused (mix-up)', async () => {
  const evil = await startOpenIdProvider()
  const auth = await startForTest({
    OIDC_PROVIDERS: settingOf(
      [station.provider, { id: 'company', name: 'Company' }],
      [evil, { id: 'evil', name: 'Evil' }],
    ),
  })
  const authorize = async (provider: string) => {
    const query = `provider=${provider}&code_challenge=${CHALLENGE}&code_challenge_method=s256`
    return (await call(`${auth.url}/authorize?${query}`, 'GET')).headers.get('location') ?? ''
  }
  const login = station.newLogin()
  evil.accounts.set(login, { email: login, email_verified: true })
  for (const isIssuerHidden of [false, true]) {
    const atCompany = new URL(await station.provider.approve(await authorize('company'), login))
    // The code of one provider with the state of the other one.
    const mixed = new URL(await evil.approve(await authorize('evil'), login)).searchParams
    mixed.set('state', atCompany.searchParams.get('state')!)
    if (isIssuerHidden) mixed.delete('iss')
    const { headers } = await call(`${auth.url}/callback?${mixed}`, 'GET')
    expect(errorOf(new URL(headers.get('location')!))).toBe('bad_oauth_callback')
  }
  await evil.stop()
})

describe('an email that a provider names', () => {
  it('neither signs in to an account with the same email nor links it', async () => {
    const { auth, signIn, newLogin } = station
    const owner = await signUp(auth, newLogin())
    const { error } = await signIn(owner.email)
    expect(error).toMatchObject({ status: 422, code: 'email_exists' })
    expect(error?.message).toContain('Sign in to it and link Company in your profile')
    const { body } = await call(`${auth.url}/user`, 'GET', undefined, owner.headers)
    expect(body.identities).toHaveLength(1)
  })

  it.each([
    ['true as text', {}, { email_verified: 'true' }],
    ['only in the user info', { email: true }, {}],
    ['as text, only in the user info', { email: true }, { email_verified: 'true' }],
  ])('is confirmed by email_verified %s', async (_where, inIdToken, claims) => {
    const login = station.newLogin(claims)
    if ('email' in inIdToken) station.provider.idTokens.set(login, { email: login.toUpperCase() })
    const { data, error } = await station.signIn(login)
    expect([error, data.user?.email]).toEqual([null, login])
  })

  it('is not confirmed by what the user info says about another one', async () => {
    const login = station.newLogin()
    station.provider.idTokens.set(login, { email: newEmail() })
    const { error } = await station.signIn(login)
    expect(error?.code).toBe('provider_email_needs_verification')
  })

  it.each([
    { email_verified: false },
    { email_verified: 'false' },
    { email_verified: undefined },
    { email: undefined },
  ])('creates no account if it is not confirmed: %o', async (claims) => {
    const { auth, signIn, newLogin } = station
    const login = newLogin(claims)
    const { error } = await signIn(login)
    expect(error?.code).toBe('provider_email_needs_verification')
    const found = await auth.db.selectFrom('users').select('id').where('email', '=', login).execute()
    expect(found).toEqual([])
  })
})

describe('the request to go to a provider', () => {
  it.each([
    ['', 'validation_failed'],
    ['provider=company', 'validation_failed'],
    [`provider=company&code_challenge=${CHALLENGE}`, 'validation_failed'],
    ['provider=company&code_challenge=short&code_challenge_method=s256', 'validation_failed'],
    [`provider=other&code_challenge=${CHALLENGE}&code_challenge_method=s256`, 'validation_failed'],
    [`provider=__proto__&code_challenge=${CHALLENGE}&code_challenge_method=s256`, 'validation_failed'],
    [`provider=%00&code_challenge=${CHALLENGE}&code_challenge_method=s256`, 'validation_failed'],
    [`provider=${'a'.repeat(100)}`, 'validation_failed'],
  ])('is refused: %s', async (query, code) => {
    const { status, body } = await call(`${station.auth.url}/authorize?${query}`, 'GET')
    expect([status, body.code]).toEqual([400, code])
  })

  it('returns to the site, not to an address that is not allowed', async () => {
    const { auth, land, locationOf } = station
    const query = `provider=company&code_challenge=${CHALLENGE}&code_challenge_method=s256`
    for (const evil of ['https://evil.test/', 'javascript:alert(1)', `${SITE}@evil.test/`]) {
      const url = `${auth.url}/authorize?${query}&redirect_to=${encodeURIComponent(evil)}`
      const landed = await land((await locationOf(url)).href, station.newLogin())
      expect(landed.origin).toBe(SITE)
    }
  })

  it('links only for a recent, confirmed session', async () => {
    const { auth } = station
    const query = `provider=company&code_challenge=${CHALLENGE}&code_challenge_method=s256`
    const url = `${auth.url}/user/identities/authorize?${query}`
    expect((await call(url, 'GET')).body.code).toBe('no_authorization')
    const { user, headers } = await signUp(auth, newEmail())
    await auth.db
      .updateTable('sessions')
      .set({ createdAt: new Date(auth.clock.now() - 86_500_000) })
      .where('userId', '=', user.id)
      .execute()
    const { status, body } = await call(url, 'GET', undefined, {
      ...headers,
      'x-supabase-api-version': '2024-01-01',
    })
    expect([status, body.code]).toEqual([400, 'reauthentication_needed'])
  })
})
