import { randomUUID } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, newEmail, PASSWORD, signUp, startAuth, type TestAuth, VERSION } from './_harness.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
  call(`${auth.url}${path}`, 'POST', body, headers)

describe('requests', () => {
  it('may have an empty body with a JSON content type', async () => {
    const { headers } = await signUp(auth)
    const answer = await post('/logout', undefined, headers)
    expect(answer.status).toBe(204)
    expect(answer.body).toBeNull()
  })

  it('may contain unknown fields and null challenges', async () => {
    const answer = await post('/signup', {
      email: newEmail(),
      password: PASSWORD,
      gotrue_meta_security: { captcha_token: 'x' },
      code_challenge: null,
      code_challenge_method: null,
      role: 'service_role',
      aud: 'other',
      app_metadata: { admin: true },
      email_confirm: true,
    })
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({
      role: 'authenticated',
      aud: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
    })
  })

  it('may contain emails in any case', async () => {
    const { email } = await signUp(auth)
    const answer = await post('/token?grant_type=password', {
      email: email.toUpperCase(),
      password: PASSWORD,
    })
    expect(answer.status).toBe(200)
    expect(answer.body.user.email).toBe(email)
    const again = await post('/signup', { email: email.toUpperCase(), password: PASSWORD })
    expect(again.body.code).toBe('user_already_exists')
  })

  it('may contain emails as they were pasted, with characters that nobody sees', async () => {
    const email = newEmail()
    const pasted = (text: string) => `\ufeff \u202a${text.replace('@', '\u200b@\u00ad')}\u202c\u200e `
    expect((await post('/signup', { email: pasted(email), password: PASSWORD })).body.user.email).toBe(email)
    for (const [path, body] of [
      ['/token?grant_type=password', { password: PASSWORD }],
      ['/recover', {}],
      ['/otp', {}],
      ['/resend', { type: 'signup' }],
    ] as const) {
      const answer = await post(path, { email: pasted(email), ...body })
      expect([path, answer.status]).toEqual([path, 200])
    }
  })

  it.each([
    ['{', 'bad_json'],
    ['"text"', 'validation_failed'],
    ['[]', 'validation_failed'],
    ['null', 'validation_failed'],
    ['{"__proto__":{"x":1},"email":"a@b.test","password":"12345678"}', 'bad_json'],
    [{}, 'validation_failed'],
    [{ password: PASSWORD, email: 7 }, 'validation_failed'],
    [{ password: PASSWORD, email: ['a@b.test'] }, 'validation_failed'],
    [{ password: PASSWORD, email: 'a\0@b.test' }, 'validation_failed'],
    [{ password: `${PASSWORD}\0`, email: 'a@b.test' }, 'validation_failed'],
    [{ password: PASSWORD, email: 'no address' }, 'validation_failed'],
    [{ password: PASSWORD, email: `${'a'.repeat(250)}@b.test` }, 'validation_failed'],
    [{ password: PASSWORD, email: 'a@b.test', data: { x: 'y\0' } }, 'validation_failed'],
    [{ password: PASSWORD, email: 'a@b.test', data: { x: '\ud800' } }, 'validation_failed'],
    [{ password: PASSWORD, email: 'a@b.test', data: { x: 'y'.repeat(5000) } }, 'validation_failed'],
    [{ password: PASSWORD, email: 'a@b.test', data: 'text' }, 'validation_failed'],
    [
      { password: PASSWORD, email: 'a@b.test', code_challenge: 'short', code_challenge_method: 's256' },
      'validation_failed',
    ],
    [{ password: PASSWORD, email: 'a@b.test', code_challenge: 'a'.repeat(43) }, 'validation_failed'],
  ])('are refused with an invalid sign-up body %#', async (body, code) => {
    const answer = await post('/signup', body)
    expect([answer.status, answer.body.code]).toEqual([400, code])
  })

  it('are refused when too long', async () => {
    const answer = await post('/signup', { email: 'a@b.test', password: 'x'.repeat(70_000) })
    expect([answer.status, answer.body.code]).toEqual([413, 'request_too_large'])
  })

  it('are refused when nested too deeply to parse', async () => {
    const nested = `{"email":"deep@b.test","password":"${PASSWORD}","data":{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
    const answer = await post('/signup', nested)
    expect([answer.status, answer.body.code]).toEqual([400, 'validation_failed'])
  })

  it('for features not offered get 404 or 422 in the same format', async () => {
    expect(await post('/signup', { phone: '123', password: PASSWORD })).toMatchObject({
      status: 422,
      body: { code: 'phone_provider_disabled' },
    })
    expect(await post('/signup', { data: {} })).toMatchObject({
      status: 422,
      body: { code: 'anonymous_provider_disabled' },
    })
    expect(await post('/otp', { phone: '123' })).toMatchObject({ status: 422 })
    for (const path of ['/saml', '/admin/audit']) {
      const answer = await post(path, {})
      expect([answer.status, answer.body.code, typeof answer.body.message]).toEqual([
        404,
        'not_found',
        'string',
      ])
    }
  })
})

describe('errors', () => {
  it('have the format of the requested API version', async () => {
    const body = { email: newEmail(), password: PASSWORD }
    const modern = await post('/token?grant_type=password', body, VERSION)
    expect(modern.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect(modern.body).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
    const old = await post('/token?grant_type=password', body, {})
    expect(old.headers.get('x-supabase-api-version')).toBeNull()
    expect(old.body).toEqual({
      code: 400,
      error_code: 'invalid_credentials',
      msg: 'Invalid login credentials',
    })
    const later = await post('/token?grant_type=password', body, { 'x-supabase-api-version': '2026-08-01' })
    expect(later.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect(later.body.code).toBe('invalid_credentials')
  })

  it('list the reasons of a weak password', async () => {
    const short = await post('/signup', { email: newEmail(), password: 'short' })
    expect(short).toMatchObject({
      status: 422,
      body: { code: 'weak_password', weak_password: { reasons: ['length'] } },
    })
    const common = await post('/signup', { email: newEmail(), password: 'Password123' })
    expect(common).toMatchObject({ status: 422, body: { weak_password: { reasons: ['pwned'] } } })
    const long = await post('/signup', { email: newEmail(), password: 'x'.repeat(129) })
    expect(long).toMatchObject({ status: 422, body: { weak_password: { reasons: ['length'] } } })
  })

  it('can be read by pages of other origins', async () => {
    const preflight = await fetch(`${auth.url}/token`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'authorization,apikey,content-type,x-client-info,x-supabase-api-version',
      },
    })
    expect(preflight.status).toBe(204)
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(', ')
    for (const header of [
      'authorization',
      'apikey',
      'content-type',
      'x-client-info',
      'x-supabase-api-version',
    ]) {
      expect(allowed).toContain(header)
    }
    expect(preflight.headers.get('access-control-allow-methods')).toMatch(/PUT/)
    const refused = await post(
      '/token?grant_type=password',
      {},
      { origin: 'https://app.example.test', ...VERSION },
    )
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(refused.headers.get('access-control-expose-headers')).toMatch(/x-supabase-api-version/)
  })

  it('are invalid_credentials for an unknown grant', async () => {
    for (const path of ['/token', '/token?grant_type=implicit']) {
      const answer = await post(path, {})
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_credentials'])
    }
  })
})

describe('bearer tokens', () => {
  it('are ignored where no authentication is required', async () => {
    const junk = { ...VERSION, authorization: 'Bearer looptide-public' }
    const { email } = await signUp(auth)
    expect((await post('/token?grant_type=password', { email, password: PASSWORD }, junk)).status).toBe(200)
    expect((await call(`${auth.url}/settings`, 'GET', undefined, junk)).status).toBe(200)
    expect((await call(`${auth.url}/nothing`, 'GET', undefined, junk)).status).toBe(404)
  })

  const getUserWith = (authorization?: string) =>
    call(
      `${auth.url}/user`,
      'GET',
      undefined,
      authorization === undefined ? VERSION : { ...VERSION, authorization },
    )

  it('are required', async () => {
    for (const header of [undefined, 'Basic abc', 'Bearer']) {
      const answer = await getUserWith(header)
      expect([answer.status, answer.body.code]).toEqual([401, 'no_authorization'])
    }
  })

  it('are refused when this service did not issue them', async () => {
    const { access_token: token } = await signUp(auth)
    const claims = decodeJwt(token)
    const { kid } = decodeProtectedHeader(token)
    const foreign = await generateKeyPair('ES256', { extractable: true })
    const forge = (header: Record<string, unknown>) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header } as { alg: string })
    const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const payload = token.split('.')[1]!
    const bad = [
      'garbage',
      'a.b.c',
      `${token.slice(0, -4)}AAAA`,
      token.replace(payload, b64({ ...claims, sub: randomUUID() })),
      `${b64({ alg: 'none', kid })}.${payload}.`,
      await forge({ kid }).sign(foreign.privateKey),
      await forge({ kid: 'unknown' }).sign(foreign.privateKey),
      await forge({}).sign(foreign.privateKey),
      await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: String(kid) })
        .sign(new TextEncoder().encode('x'.repeat(32))),
      'x'.repeat(9000),
    ]
    for (const candidate of bad) {
      const answer = await getUserWith(`Bearer ${candidate}`)
      expect([answer.status, answer.body.code], candidate.slice(0, 60)).toEqual([403, 'bad_jwt'])
      expect(answer.body.message).toMatch(/^invalid JWT: unable to parse or verify signature, /)
    }
  })

  it('are refused when expired', async () => {
    const { access_token: token } = await signUp(auth)
    auth.clock.advance(3_601_000)
    const answer = await getUserWith(`Bearer ${token}`)
    expect([answer.status, answer.body.code]).toEqual([403, 'bad_jwt'])
  })

  it('of a deleted session or user are refused with a code for each', async () => {
    const first = await signUp(auth)
    await post('/logout?scope=local', undefined, { ...VERSION, ...first.headers })
    expect(await getUserWith(first.headers.authorization)).toMatchObject({
      status: 403,
      body: { code: 'session_not_found' },
    })
    const second = await signUp(auth)
    await auth.db.deleteFrom('users').where('id', '=', second.user.id).execute()
    expect(await getUserWith(second.headers.authorization)).toMatchObject({
      status: 403,
      body: { code: 'user_not_found' },
    })
  })
})

describe('answers', () => {
  it('with a session contain all its fields', async () => {
    const email = newEmail()
    const { body } = await post('/signup', { email, password: PASSWORD, data: { full_name: 'Ada Lovelace' } })
    const claims = decodeJwt(body.access_token)
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 3600, expires_at: claims.exp })
    expect(Number.isInteger(body.expires_at)).toBe(true)
    expect(claims).toEqual({
      iss: 'http://localhost:8080/auth/v1',
      sub: body.user.id,
      aud: 'authenticated',
      exp: claims.exp,
      iat: claims.exp! - 3600,
      email,
      phone: '',
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { full_name: 'Ada Lovelace' },
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.stringMatching(UUID),
      refresh_generation: 1,
      is_anonymous: false,
    })
    expect(decodeProtectedHeader(body.access_token)).toEqual({
      alg: 'ES256',
      typ: 'JWT',
      kid: expect.any(String),
    })
  })

  it('with a user contain the fields of the protocol and no secrets', async () => {
    const { user, email } = (await signUp(auth)) as unknown as {
      user: Record<string, unknown>
      email: string
    }
    expect(user).toEqual({
      id: expect.stringMatching(UUID),
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
      identities: [
        {
          identity_id: expect.stringMatching(UUID),
          id: user.id,
          user_id: user.id,
          identity_data: { sub: user.id, email, email_verified: true },
          provider: 'email',
          last_sign_in_at: expect.stringMatching(RFC3339),
          created_at: expect.stringMatching(RFC3339),
          updated_at: expect.stringMatching(RFC3339),
          email,
        },
      ],
      created_at: expect.stringMatching(RFC3339),
      updated_at: expect.stringMatching(RFC3339),
      email_confirmed_at: expect.stringMatching(RFC3339),
      confirmed_at: expect.stringMatching(RFC3339),
      last_sign_in_at: expect.stringMatching(RFC3339),
      is_anonymous: false,
    })
  })

  it('describe settings and health', async () => {
    const settings = await call(`${auth.url}/settings`, 'GET')
    expect(settings).toMatchObject({ status: 200, body: { mailer_autoconfirm: true, disable_signup: false } })
    expect((await call(`${auth.url}/health`, 'GET')).status).toBe(200)
  })
})
