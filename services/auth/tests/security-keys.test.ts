import { bearerOf } from '@looptide/testkit/client'
import { type Deviation, SoftwareAuthenticator } from '@looptide/testkit/software-authenticator'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestsOf, withFactor } from './_authenticator.ts'
import { PASSWORD, SITE, signUp, startAuth, type TestAuth, type TestSession } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { post, signIn, staff } from './_requests.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

type Requests = ReturnType<typeof requestsOf>
const REFUSED = { status: 400, body: { code: 'webauthn_verification_failed' } }

/** Opens a challenge and answers it with the authenticator. */
async function answerWith(
  { send }: Requests,
  factorId: string,
  authenticator: SoftwareAuthenticator,
  deviation?: Deviation,
) {
  const { body: challenge } = await send('POST', `/factors/${factorId}/challenge`, {})
  const { type, credential_options: options } = challenge.webauthn
  const credential =
    type === 'create'
      ? authenticator.create(options.publicKey, deviation)
      : authenticator.get(options.publicKey, deviation)
  const webauthn = { type, credential_response: credential }
  const answer = { challenge_id: challenge.id as string, webauthn }
  return { ...(await send('POST', `/factors/${factorId}/verify`, answer)), answer }
}

/** Adds a security key to an account without factors. Returns requests with `aal2`. */
async function withKey(owner: TestSession, authenticator = new SoftwareAuthenticator(SITE), of = auth) {
  const first = requestsOf(of, owner.access_token)
  const key = { factor_type: 'webauthn', friendly_name: 'Blue key' }
  const id: string = (await first.send('POST', '/factors', key)).body.id
  const { status, body } = await answerWith(first, id, authenticator)
  expect(status).toBe(200)
  return { id, authenticator, requests: requestsOf(of, body.access_token) }
}

const signInAgain = async ({ email }: TestSession): Promise<Requests> =>
  requestsOf(auth, (await signIn(auth, email, PASSWORD)).body.access_token)

const passkeyOptions = async ({ send }: Requests) =>
  (await send('POST', '/passkeys/registration/options')).body

describe('an answer is refused', () => {
  const deviations: [what: string, deviation: Deviation][] = [
    ['of another origin', { origin: 'https://evil.test' }],
    ['of another site', { rpId: 'evil.test' }],
    ['for another challenge', { challenge: 'AAAA' }],
  ]
  it.each(deviations)('%s, at enrolment and afterwards', async (_what, deviation) => {
    const owner = await signUp(auth)
    const first = requestsOf(auth, owner.access_token)
    const { body } = await first.send('POST', '/factors', { factor_type: 'webauthn' })
    const stranger = new SoftwareAuthenticator(SITE)
    expect(await answerWith(first, body.id, stranger, deviation)).toMatchObject(REFUSED)
    const { id, authenticator } = await withKey(owner)
    const again = await signInAgain(owner)
    expect(await answerWith(again, id, authenticator, deviation)).toMatchObject(REFUSED)
    expect((await answerWith(again, id, authenticator)).status).toBe(200)
  })

  it('of the wrong form, or to a challenge of another factor or user', async () => {
    const owner = await signUp(auth)
    const { id, authenticator, requests } = await withKey(owner)
    const other = await withKey(await signUp(auth))
    const { answer, body: session } = await answerWith(requests, id, authenticator)
    const current = requestsOf(auth, session.access_token)
    const verify = (body: unknown) => current.send('POST', `/factors/${id}/verify`, body)
    const { webauthn } = answer
    const challenge_id = await current.challenge(id)
    const broken = [
      { challenge_id, code: '123456' },
      { challenge_id },
      { challenge_id, webauthn: null },
      { challenge_id, webauthn: { ...webauthn, type: 'create' } },
      { challenge_id, webauthn: { type: 'request', credential_response: { id: 'x' } } },
    ]
    for (const body of broken)
      expect(await verify(body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    const foreign = await other.requests.challenge(other.id)
    const missing = { status: 404, body: { code: 'mfa_factor_not_found' } }
    expect(await verify({ challenge_id: foreign, webauthn })).toMatchObject(missing)
    expect(await verify({ challenge_id, webauthn })).toMatchObject(REFUSED)
    const app = await withFactor(auth, await signUp(auth))
    const toApp = { challenge_id: await app.requests.challenge(app.id), webauthn }
    const answered = await app.requests.send('POST', `/factors/${app.id}/verify`, toApp)
    expect(answered.body.code).toBe('validation_failed')
  })

  it('of a copied key; its owner gets a mail and the audit log an entry', async () => {
    const owner = await signUp(auth)
    const { id, authenticator } = await withKey(owner)
    const audits = await auth.listen('auth.audit.recorded.v1')
    const again = await signInAgain(owner)
    authenticator.counter = 0
    const { answer, ...refused } = await answerWith(again, id, authenticator)
    expect(refused).toMatchObject(REFUSED)
    const repeated = await again.send('POST', `/factors/${id}/verify`, answer)
    expect(repeated.body.code).toBe('mfa_factor_not_found')
    const mail = await until('the mail is there', () =>
      auth.sink.to(owner.email).find(({ raw }) => raw.includes('may have been copied')),
    )
    expect(mail.raw).toContain('security key "Blue key"')
    const entry = await until('the entry is published', () => audits.received()[0])
    expect(entry.data).toMatchObject({ action: 'security_key_copied', targetId: id })
    await audits.stop()
  })
})

it('a key without PIN, and one without a counter, verify a session', async () => {
  const owner = await signUp(auth)
  const plain = new SoftwareAuthenticator(SITE, { hasCounter: false })
  const { id } = await withKey(owner, plain)
  for (const _time of [1, 2]) {
    const again = await signInAgain(owner)
    expect((await answerWith(again, id, plain, { isUserVerified: false })).status).toBe(200)
  }
})

it('a key belongs to one account, and is not its passkey too', async () => {
  const owner = await signUp(auth)
  const { authenticator, requests } = await withKey(owner)
  const { challenge_id, options } = await passkeyOptions(requests)
  expect(options.excludeCredentials).toMatchObject([{ id: authenticator.credentialId }])
  const credential = authenticator.create(options)
  const passkey = await requests.send('POST', '/passkeys/registration/verify', { challenge_id, credential })
  expect(passkey).toMatchObject({ status: 422, body: { code: 'webauthn_credential_exists' } })
  const thief = requestsOf(auth, (await signUp(auth)).access_token)
  const { body } = await thief.send('POST', '/factors', { factor_type: 'webauthn' })
  const taken = await answerWith(thief, body.id, authenticator)
  expect(taken).toMatchObject({ status: 422, body: { code: 'webauthn_credential_exists' } })
})

it('removing the last key removes the recovery codes, and its owner is notified by mail', async () => {
  const owner = await signUp(auth)
  const { id, requests } = await withKey(owner)
  expect((await requests.send('POST', '/factors/recovery-codes')).status).toBe(200)
  expect((await requests.send('DELETE', `/factors/${id}`)).status).toBe(200)
  expect((await requests.send('GET', '/user')).body.factors).toBe(undefined)
  await until('three mails have arrived', () => auth.sink.to(owner.email).length === 3)
  const text = auth.sink
    .to(owner.email)
    .map(({ raw }) => raw)
    .join()
  expect(text).toContain('A security key was added')
  expect(text).toContain('A security key was removed')
})

it('changes of the sign-in of moderators and admins are audited, those of other users are not', async () => {
  const audits = await auth.listen('auth.audit.recorded.v1')
  const moderator = await staff(auth, 'moderator')
  for (const owner of [await signUp(auth), moderator]) {
    const { id, requests } = await withKey(owner)
    const { challenge_id, options } = await passkeyOptions(requests)
    const credential = new SoftwareAuthenticator(SITE).create(options)
    const verify = { challenge_id, credential }
    const { body: passkey } = await requests.send('POST', '/passkeys/registration/verify', verify)
    await requests.send('POST', '/factors/recovery-codes')
    await requests.send('DELETE', '/factors/recovery-codes')
    await requests.send('DELETE', `/passkeys/${passkey.id}`)
    await requests.send('DELETE', `/factors/${id}`)
  }
  await until('the entries are published', () => audits.received().length === 6)
  const entries = audits.received().map(({ data, actorId }) => ({ ...data, actorId }))
  expect(entries.every(({ actorId }) => actorId === moderator.user.id)).toBe(true)
  expect(entries).toMatchObject([
    { action: 'factor.add', details: { factorType: 'webauthn' }, targetUserId: moderator.user.id },
    { action: 'passkey.add' },
    { action: 'factor.add', details: { factorType: 'recovery_code' } },
    { action: 'factor.remove', details: { factorType: 'recovery_code' } },
    { action: 'passkey.remove', details: { passkeyName: 'Passkey' } },
    { action: 'factor.remove', details: { factorType: 'webauthn' } },
  ])
  await audits.stop()
})

it('a station without a domain has no security keys', async () => {
  const own = await startForTest({ SITE_URL: 'http://127.0.0.1:8080' })
  const { access_token: token } = await signUp(own)
  const headers = bearerOf(token)
  const { status, body } = await post(own, '/factors', { factor_type: 'webauthn' }, headers)
  expect([status, body.code]).toEqual([422, 'mfa_webauthn_enroll_not_enabled'])
})
