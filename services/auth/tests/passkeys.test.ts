import type { RegistrationCredential } from '@looptide/contracts/http/passkeys'
import { bearerOf } from '@looptide/testkit/client'
import { type Deviation, SoftwareAuthenticator } from '@looptide/testkit/software-authenticator'
import { until } from '@looptide/testkit/until'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHALLENGE_TTL_MS } from '../src/features/credential/passkey/challenges.ts'
import { call, SITE, startAuth, type TestAuth, VERSION } from './_harness.ts'
import { startForTest } from './_per-test.ts'
import { post, signIn } from './_requests.ts'
import { member, tab } from './auth-js/tab.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

type Tab = ReturnType<typeof tab>
type Member = Awaited<ReturnType<typeof member>>
const DAY_MS = 86_400_000

/** Adds a passkey to the account of the tab with the stock client. */
async function addPasskey(
  { client }: Tab,
  authenticator = new SoftwareAuthenticator(SITE),
  deviation?: Deviation,
) {
  const started = await client.passkey.startRegistration()
  if (started.data === null) return { ...started, authenticator }
  const { challenge_id: challengeId, options } = started.data
  const credential = authenticator.create(options, deviation)
  return { ...(await client.passkey.verifyRegistration({ challengeId, credential })), authenticator }
}

/** Signs in with the passkey in a new tab of the stock client. */
async function signInWith(authenticator: SoftwareAuthenticator, deviation?: Deviation, of = auth) {
  const { client, events } = tab(of)
  const started = await client.passkey.startAuthentication()
  const { challenge_id: challengeId, options } = started.data!
  const credential = authenticator.get(options, deviation)
  const verified = await client.passkey.verifyAuthentication({ challengeId, credential })
  return { ...verified, client, events, challengeId, credential }
}

const withPasskey = async (
  of = auth,
): Promise<{ owner: Member; authenticator: SoftwareAuthenticator; id: string }> => {
  const owner = await member(of)
  const { data, authenticator } = await addPasskey(owner)
  return { owner, authenticator, id: data!.id }
}

const REFUSED = {
  status: 400,
  code: 'webauthn_verification_failed',
  message: 'Credential verification failed',
}

describe('the stock client', () => {
  it('registers a passkey, lists, renames and removes it', async () => {
    const owner = await member(auth)
    const added = await addPasskey(owner)
    expect(added.data).toMatchObject({ friendly_name: 'Passkey' })
    const { id } = added.data!
    const renamed = await owner.client.passkey.update({ passkeyId: id, friendlyName: ' My phone ' })
    expect(renamed.data).toMatchObject({ id, friendly_name: 'My phone' })
    const { data } = await owner.client.passkey.list()
    expect(data).toEqual([{ id, friendly_name: 'My phone', created_at: added.data!.created_at }])
    expect((await owner.client.passkey.delete({ passkeyId: id })).error).toBeNull()
    expect((await owner.client.passkey.list()).data).toEqual([])
    await until('both mails are there', () => auth.sink.to(owner.email).length === 2)
    const [first, second] = auth.sink.to(owner.email)
    expect(first!.raw).toContain('A passkey was added to your')
    expect(second!.raw).toContain('The passkey "My phone" was removed')
  })

  it('gets options for discoverable credentials with user verification', async () => {
    const owner = await member(auth)
    const authenticator = new SoftwareAuthenticator(SITE)
    await addPasskey(owner, authenticator)
    const { data: creation } = await owner.client.passkey.startRegistration()
    expect(creation!.options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: owner.email, id: Buffer.from(owner.session.user.id).toString('base64url') },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.credentialId, type: 'public-key' }],
    })
    const { data: request } = await owner.client.passkey.startAuthentication()
    expect(request!.options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(request!.options).not.toHaveProperty('allowCredentials')
    const secondsLeft = request!.expires_at - auth.clock.now() / 1000
    expect(secondsLeft).toBeGreaterThan(CHALLENGE_TTL_MS / 1000 - 10)
  })

  it('signs in with it and gets a session of method passkey', async () => {
    const { owner, authenticator, id } = await withPasskey()
    const { data, error, events } = await signInWith(authenticator)
    expect(error).toBeNull()
    expect(data!.user!.email).toBe(owner.email)
    expect(decodeJwt(data!.session!.access_token)).toMatchObject({
      aal: 'aal1',
      amr: [{ method: 'passkey' }],
    })
    await until('the client is notified', () => events.includes('SIGNED_IN'))
    const { data: listed } = await owner.client.passkey.list()
    expect(listed).toMatchObject([{ id, last_used_at: expect.any(String) }])
  })

  it('signs in with each of two passkeys, with and without a counter', async () => {
    const { owner, authenticator } = await withPasskey()
    const synced = new SoftwareAuthenticator(SITE, { hasCounter: false })
    await addPasskey(owner, synced)
    for (const device of [authenticator, synced, synced, authenticator]) {
      expect((await signInWith(device)).data?.user?.email).toBe(owner.email)
    }
  })

  it('finishes on another process than it began, once', async () => {
    const { authenticator } = await withPasskey()
    const replica = await auth.startReplica()
    const { client } = tab(auth)
    const { data } = await client.passkey.startAuthentication()
    const credential = authenticator.get(data!.options)
    const other = tab({ ...auth, url: `${replica.url}/auth/v1` })
    const challengeId = data!.challenge_id
    expect((await other.client.passkey.verifyAuthentication({ challengeId, credential })).error).toBeNull()
    const again = await client.passkey.verifyAuthentication({ challengeId, credential })
    expect(again.error).toMatchObject({ status: 400, code: 'webauthn_challenge_not_found' })
  })
})

describe('a registration is refused', () => {
  const deviations: [what: string, deviation: Deviation][] = [
    ['of another origin', { origin: 'https://evil.test' }],
    ['of another site', { rpId: 'evil.test' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['without user verification', { isUserVerified: false }],
    ['with an attestation that has certificates', { format: 'android-key' }],
  ]
  it.each(deviations)('%s', async (_what, deviation) => {
    const owner = await member(auth)
    expect((await addPasskey(owner, undefined, deviation)).error).toMatchObject(REFUSED)
    expect((await owner.client.passkey.list()).data).toEqual([])
  })

  it('with the challenge of another user, or of a sign-in', async () => {
    const [owner, other] = [await member(auth), await member(auth)]
    const foreign = await other.client.passkey.startRegistration()
    const signInOptions = await owner.client.passkey.startAuthentication()
    const { user, rp } = foreign.data!.options
    for (const { challenge_id: challengeId, options } of [foreign.data!, signInOptions.data!]) {
      const credential = new SoftwareAuthenticator(SITE).create({ challenge: options.challenge, user, rp })
      const { error } = await owner.client.passkey.verifyRegistration({ challengeId, credential })
      expect(error).toMatchObject(REFUSED)
    }
  })

  it('a second time, and when somebody else has the credential', async () => {
    const [owner, other] = [await member(auth), await member(auth)]
    const { data } = await owner.client.passkey.startRegistration()
    const authenticator = new SoftwareAuthenticator(SITE)
    const registration = {
      challengeId: data!.challenge_id,
      credential: authenticator.create(data!.options),
    }
    expect((await owner.client.passkey.verifyRegistration(registration)).error).toBeNull()
    expect((await owner.client.passkey.verifyRegistration(registration)).error).toMatchObject({
      code: 'webauthn_challenge_not_found',
    })
    expect((await addPasskey(other, authenticator)).error).toMatchObject({
      status: 422,
      code: 'webauthn_credential_exists',
    })
  })

  it('above ten passkeys, also when they are added at once', async () => {
    const owner = await member(auth)
    const results = await Promise.all(Array.from({ length: 12 }, () => addPasskey(owner)))
    expect(results.filter(({ error }) => error === null)).toHaveLength(10)
    expect((await addPasskey(owner)).error).toMatchObject({ status: 422, code: 'too_many_passkeys' })
    expect((await owner.client.passkey.list()).data).toHaveLength(10)
  })
})

describe('a sign-in is refused', () => {
  const deviations: [what: string, deviation: Deviation][] = [
    ['at another origin', { origin: 'https://evil.test' }],
    ['for another site', { rpId: 'evil.test' }],
    ['for another challenge', { challenge: 'AAAA' }],
    ['without user verification', { isUserVerified: false }],
    ['with the user handle of somebody else', { userHandle: 'AAAA' }],
  ]
  it.each(deviations)('%s', async (_what, deviation) => {
    const { authenticator } = await withPasskey()
    expect((await signInWith(authenticator, deviation)).error).toMatchObject(REFUSED)
    expect((await signInWith(authenticator)).error).toBeNull()
  })

  it('when the same answer is sent again', async () => {
    const { authenticator } = await withPasskey()
    const { client, challengeId, credential } = await signInWith(authenticator)
    const { error } = await client.passkey.verifyAuthentication({ challengeId, credential })
    expect(error).toMatchObject({ status: 400, code: 'webauthn_challenge_not_found' })
  })

  it('with the id of another user’s credential', async () => {
    const [one, two] = [await withPasskey(), await withPasskey()]
    const { client } = tab(auth)
    const { data } = await client.passkey.startAuthentication()
    const { id } = one.authenticator.get(data!.options)
    const credential = { ...two.authenticator.get(data!.options), id, rawId: id }
    const verified = await client.passkey.verifyAuthentication({
      challengeId: data!.challenge_id,
      credential,
    })
    expect(verified.error).toMatchObject(REFUSED)
  })

  it('with an unknown and a removed passkey, in the same words', async () => {
    const { owner, authenticator, id } = await withPasskey()
    await owner.client.passkey.delete({ passkeyId: id })
    const stranger = new SoftwareAuthenticator(SITE)
    const userHandle = Buffer.from(owner.session.user.id).toString('base64url')
    for (const device of [authenticator, stranger]) {
      expect((await signInWith(device, { userHandle })).error).toMatchObject(REFUSED)
    }
  })

  it('of a banned user with the code of a password sign-in, and of a deleted account', async () => {
    const { owner, authenticator, id } = await withPasskey()
    const userId = owner.session.user.id
    const restriction = {
      restrictionType: 'site_banned',
      reason: 'spam',
      createdBy: null,
      createdByRole: null,
    } as const
    const row = { ...restriction, id, userId, createdAt: new Date(), expiresAt: null }
    await auth.db.insertInto('userRestrictions').values(row).execute()
    const { error } = await signInWith(authenticator)
    expect(error).toMatchObject({ code: 'user_banned' })
    expect((await signIn(auth, owner.email, 'correct horse battery')).body.code).toBe(error!.code)
    await auth.db.deleteFrom('users').where('id', '=', userId).execute()
    expect((await signInWith(authenticator)).error).toMatchObject(REFUSED)
    expect(await auth.db.selectFrom('passkeys').select('id').where('id', '=', id).execute()).toEqual([])
  })

  it('when the counter shows a copy; its owner gets a mail and the audit log an entry', async () => {
    const { owner, authenticator, id } = await withPasskey()
    expect((await signInWith(authenticator)).error).toBeNull()
    const audits = await auth.listen('auth.audit.recorded.v1')
    authenticator.counter = 0
    expect((await signInWith(authenticator)).error).toMatchObject(REFUSED)
    const mail = await until('the mail is there', () =>
      auth.sink.to(owner.email).find(({ raw }) => raw.includes('may have been copied')),
    )
    expect(mail.raw).toContain('"Passkey"')
    const entry = await until('the entry is published', () => audits.received()[0])
    expect(entry.data).toMatchObject({ action: 'security_passkey_copied', targetId: id })
    await audits.stop()
    authenticator.counter = 40
    expect((await signInWith(authenticator)).error).toBeNull()
  })
})

describe('limits', () => {
  it('a challenge is valid for five minutes, and deleted afterwards', async () => {
    const own = await startForTest()
    const { authenticator } = await withPasskey(own)
    const { client } = tab(own)
    const { data } = await client.passkey.startAuthentication()
    own.clock.advance(CHALLENGE_TTL_MS)
    const credential = authenticator.get(data!.options)
    const late = await client.passkey.verifyAuthentication({ challengeId: data!.challenge_id, credential })
    expect(late.error).toMatchObject({ status: 400, code: 'webauthn_challenge_expired' })
    expect((await signInWith(authenticator, {}, own)).error).toBeNull()
    own.clock.advance(CHALLENGE_TTL_MS + 1000)
    await own.housekeeping.run()
    expect(await own.db.selectFrom('spentPasskeyChallenges').selectAll().execute()).toEqual([])
  })

  it('passkeys are added only soon after a sign-in', async () => {
    const own = await startForTest({ ACCESS_TOKEN_TTL_S: '86400' })
    const owner = await member(own)
    own.clock.advance(DAY_MS + 1000)
    await owner.client.refreshSession()
    expect((await addPasskey(owner)).error).toMatchObject({ code: 'reauthentication_needed' })
  })

  it('passkeys are added and removed only with the second factor of a user who has one', async () => {
    const { owner, id } = await withPasskey()
    await sql`insert into factors (id, user_id, factor_type, friendly_name, status, sealed_secret, created_at, updated_at)
      values (gen_random_uuid(), ${owner.session.user.id}, 'totp', 'App', 'verified', 'x', now(), now())`.execute(
      auth.db,
    )
    const refused = { status: 403, code: 'insufficient_aal' }
    expect((await owner.client.passkey.startRegistration()).error).toMatchObject(refused)
    expect((await owner.client.passkey.delete({ passkeyId: id })).error).toMatchObject(refused)
    expect((await owner.client.passkey.list()).data).toHaveLength(1)
  })

  it('each network has a limit of challenges', async () => {
    const own = await startForTest({ RATE_LIMIT_FACTOR: '0.03' })
    const from = (ip: string) => ({ ...VERSION, 'x-forwarded-for': ip })
    const ask = (ip: string) => post(own, '/passkeys/authentication/options', {}, from(ip))
    const statuses = await Promise.all(Array.from({ length: 20 }, () => ask('203.0.113.9')))
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(2)
    expect((await ask('203.0.113.10')).status).toBe(200)
  })

  it('each network has a limit of sign-ins, which counts failures only', async () => {
    const own = await startForTest({ RATE_LIMIT_FACTOR: '0.03' })
    const { authenticator } = await withPasskey(own)
    for (let attempt = 0; attempt < 6; attempt += 1) {
      expect((await signInWith(authenticator, {}, own)).error).toBeNull()
    }
    const codes: (string | undefined)[] = []
    for (let attempt = 0; attempt < 5; attempt += 1) {
      codes.push((await signInWith(authenticator, { challenge: 'AAAA' }, own)).error?.code)
    }
    expect(codes).toEqual([...Array(4).fill(REFUSED.code), 'over_request_rate_limit'])
  })

  it('a station without a domain has no passkeys', async () => {
    const own = await startForTest({ SITE_URL: 'http://127.0.0.1:8080' })
    const { error } = await tab(own).client.passkey.startAuthentication()
    expect(error).toMatchObject({ status: 404, code: 'passkey_disabled' })
    expect((await call(`${own.url}/settings`, 'GET')).body.passkeys_enabled).toBe(false)
  })

  it('further origins of the domain are accepted', async () => {
    const own = await startForTest({
      SITE_URL: 'https://tv.example.test',
      PASSKEY_RP_ID: 'example.test',
      PASSKEY_ORIGINS: 'https://www.example.test',
    })
    const owner = await member(own)
    const { authenticator, error } = await addPasskey(
      owner,
      new SoftwareAuthenticator('https://www.example.test'),
    )
    expect(error).toBeNull()
    expect((await signInWith(authenticator, { origin: 'https://tv.example.test' }, own)).error).toBeNull()
    expect((await signInWith(authenticator, { origin: 'https://example.test' }, own)).error).toMatchObject(
      REFUSED,
    )
  })
})

describe('hostile input', () => {
  const credentialOf = async (owner: Member): Promise<[id: string, credential: RegistrationCredential]> => {
    const { data } = await owner.client.passkey.startRegistration()
    return [data!.challenge_id, new SoftwareAuthenticator(SITE).create(data!.options)]
  }

  it('broken answers are refused with a code', async () => {
    const owner = await member(auth)
    const headers = bearerOf(owner.session.access_token)
    const [challengeId, good] = await credentialOf(owner)
    const verify = (credential: unknown, id: string = challengeId) =>
      post(auth, '/passkeys/registration/verify', { challenge_id: id, credential }, headers)
    const withObject = (attestationObject: string) => ({
      ...good,
      response: { ...good.response, attestationObject },
    })
    for (const broken of [
      null,
      'x',
      {},
      { ...good, id: '' },
      withObject('not base64url!'),
      { ...good, type: 'x' },
    ]) {
      expect((await verify(broken)).body.code).toBe('validation_failed')
    }
    expect((await verify(good, 'no id')).body.code).toBe('validation_failed')
    const garbled = [withObject('AAAA'), withObject('o2NmbXQ'), { ...good, id: 'AAAA', rawId: 'AAAA' }]
    for (const broken of garbled) expect((await verify(broken)).body.code).toBe(REFUSED.code)
    expect((await verify(good)).status).toBe(200)
  })

  it('names are not empty, at most 120 characters, on one line', async () => {
    const { owner, id } = await withPasskey()
    for (const friendlyName of ['', '  ', '\n', '\0', 'x'.repeat(121)]) {
      const { error } = await owner.client.passkey.update({ passkeyId: id, friendlyName })
      expect(error).toMatchObject({ status: 400, code: 'validation_failed' })
    }
    const { error } = await owner.client.passkey.update({ passkeyId: id, friendlyName: ' a\nb\u200b' })
    expect(error).toBeNull()
    expect((await owner.client.passkey.list()).data).toMatchObject([{ friendly_name: 'a b' }])
  })

  it('a user cannot change the passkey of another user', async () => {
    const [{ owner, id }, other] = [await withPasskey(), await member(auth)]
    const update = await other.client.passkey.update({ passkeyId: id, friendlyName: 'mine' })
    const deletion = await other.client.passkey.delete({ passkeyId: id })
    for (const { error } of [update, deletion]) {
      expect(error).toMatchObject({ status: 404, code: 'webauthn_credential_not_found' })
    }
    expect((await owner.client.passkey.list()).data).toMatchObject([{ id, friendly_name: 'Passkey' }])
  })
})
