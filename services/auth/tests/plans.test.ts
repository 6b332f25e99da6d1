import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Vault } from '../src/crypto/vault.ts'
import type { Database } from '../src/db/schema.ts'
import * as deviceRepository from '../src/features/credential/device/device-repository.ts'
import { knownCredentials } from '../src/features/credential/passkey/known-credential-repository.ts'
import * as passkeyRepository from '../src/features/credential/passkey/passkey-repository.ts'
import * as flowRepository from '../src/features/credential/provider/flow-repository.ts'
import { countUsers, listUserPage } from '../src/features/operator/user-page-repository.ts'
import * as profileRepository from '../src/features/profile/profile-repository.ts'
import { KeptRestrictions } from '../src/features/registration/kept-restrictions.ts'
import * as personalTokenRepository from '../src/features/session/personal-token-repository.ts'
import * as sessionRepository from '../src/features/session/session-repository.ts'
import * as signInRepository from '../src/features/session/sign-in-repository.ts'
import * as factorRepository from '../src/features/user/factor-repository.ts'
import * as identityRepository from '../src/features/user/identity-repository.ts'
import * as recoveryCodeRepository from '../src/features/user/recovery-code-repository.ts'
import * as userRepository from '../src/features/user/user-repository.ts'
import { startAuth, type TestAuth } from './_harness.ts'

let auth: TestAuth
let planned: PlannedDb<Database>
const USER_ID = '01900000-0000-7000-8000-000000000000'

// Enough rows that the planner never chooses a sequential scan.
beforeAll(async () => {
  auth = await startAuth()
  planned = plannedDb<Database>(auth.config.databaseUrl)
  const { db } = planned
  await sql`insert into users (id, email, created_at, updated_at)
    select gen_random_uuid(), 'p' || n || '@example.test', now(), now() from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`insert into profiles (user_id, handle, handle_skeleton, created_at, updated_at)
    select id, 'p_' || row_number() over (), 'p_' || row_number() over (), now(), now() from users`.execute(
    db,
  )
  await sql`insert into user_roles (user_id, role, updated_at)
    select id, 'user', now() from users limit 10000`.execute(db)
  await sql`insert into sessions (id, user_id, counter, token_salt, method, created_at, refreshed_at)
    select gen_random_uuid(), id, 1, 'salt', 'otp', now(), now() from users`.execute(db)
  await sql`insert into sign_ins (id, user_id, created_at, method, succeeded)
    select gen_random_uuid(), id, now(), 'link', true from users`.execute(db)
  await sql`insert into kept_restrictions
      (address_digest, restriction_type, reason, created_at, kept_until)
    select decode(md5(n::text), 'hex'), 'chat_banned', 'spam', now(), now() from generate_series(1, 20000) n`.execute(
    db,
  )
  await sql`insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
    select gen_random_uuid(), id, decode(md5(id::text), 'hex'), 'key', 0, '{}', 'Phone', now() from users`.execute(
    db,
  )
  await sql`insert into identities (id, user_id, provider, issuer, subject, created_at)
    select id, id, 'company', 'https://id.example.com', id, now() from users`.execute(db)
  await sql`insert into provider_flows
      (digest, step, provider, sealed, code_challenge, code_challenge_method, redirect_to, began_at, created_at)
    select decode(md5(n::text), 'hex'), 'callback', 'company', 'x', 'x', 's256', 'x', now(), now()
      from generate_series(1, 20000) n`.execute(db)
  await sql`insert into personal_tokens (id, user_id, token_digest, name, scopes, has_factor, created_at, expires_at)
    select id, id, sha256(id::text::bytea), 'Backup', '{read}', false, now(), now() from users`.execute(db)
  await sql`insert into device_grants
      (device_code_digest, user_code_digest, name, state, user_id, session_id, interval_s, created_at, expires_at)
    select sha256(id::text::bytea), sha256(id::text::bytea), 'TV', 'allowed', id, id, 5, now(), now() from users`.execute(
    db,
  )
  await sql`insert into spent_passkey_challenges (id, expires_at)
    select gen_random_uuid(), now() from generate_series(1, 20000) n`.execute(db)
  await sql`insert into factors (id, user_id, factor_type, friendly_name, status, sealed_secret, created_at, updated_at)
    select id, id, 'totp', 'Phone', 'verified', 'secret', now(), now() from users`.execute(db)
  await sql`insert into factor_challenges (id, factor_id, created_at)
    select id, id, now() from factors`.execute(db)
  await sql`insert into recovery_codes (factor_id, code_digest) select id, 'digest' from factors`.execute(db)
  await sql`insert into security_keys (factor_id, credential_id, public_key, counter, transports)
    select id, decode(md5(id::text), 'hex'), 'key', 0, '{}' from factors`.execute(db)
  await sql`analyze`.execute(db)
})
afterAll(async () => {
  await planned.stop()
  await auth.stop()
})

it('every query about names, kept restrictions, passkeys and presented tokens uses an index', async () => {
  const { db } = planned
  const keptRestrictions = new KeptRestrictions(new Vault(auth.config.keySecret))
  const account = { id: USER_ID, email: 'somebody@example.test' }
  const plans = await planned.plansOf(async () => {
    await userRepository.lockUnconfirmed(db, new Date(0), 1000)
    await userRepository.lockUnusedAnonymous(db, new Date(0), 1000)
    await userRepository.recordAnonymousUse(db, USER_ID, new Date())
    await profileRepository.findLookAlike(db, 'nobody', USER_ID)
    await profileRepository.staffNames(db, USER_ID, 1000)
    await sessionRepository.confirmReceipt(db, { sessionId: USER_ID, userId: USER_ID, generation: 2 })
    await sessionRepository.recordArrival(db, USER_ID, 2, 1)
    const signIn = {
      userId: USER_ID,
      createdAt: new Date(),
      method: 'link',
      device: null,
      network: null,
    } as const
    await signInRepository.add(db, [{ ...signIn, id: USER_ID, succeeded: true }]).catch(() => undefined)
    await signInRepository.add(db, []).catch(() => undefined)
    await signInRepository.listOf(db, USER_ID, { minId: USER_ID, after: USER_ID, limit: 10 })
    await signInRepository.knownOf(db, USER_ID)
    await signInRepository.clientsOf(db, USER_ID)
    await sql`select id from sign_ins where id < ${USER_ID} limit 1000`.execute(db)
    await passkeyRepository.listOf(db, USER_ID)
    await passkeyRepository.byCredentialId(db, Buffer.from('id'))
    await passkeyRepository.rename(db, USER_ID, USER_ID, 'Phone')
    await passkeyRepository.remove(db, USER_ID, USER_ID)
    await sql`select 1 from spent_passkey_challenges where expires_at < ${new Date(0)} limit 1000`.execute(db)
    await db.transaction().execute(async (trx) => {
      await keptRestrictions.keep(trx, [account], new Date())
      await keptRestrictions.apply(trx, account, new Date(), {})
    })
    await sql`select 1 from kept_restrictions where kept_until < ${new Date(0)} limit 1000`.execute(db)
  })
  expect(plans).not.toMatch(
    /Seq Scan on (?:passkeys|spent_passkey_challenges|profiles|user_roles|sessions|sign_ins|kept_restrictions|users)/,
  )
})

it('every query about identities at providers uses an index', async () => {
  const { db } = planned
  const plans = await planned.plansOf(async () => {
    await identityRepository.bySubject(db, 'https://id.example.com', 'nobody')
    await identityRepository.listOfAll(db, [USER_ID])
    await identityRepository.recordUse(db, USER_ID, { email: null, lastSignInAt: null })
    await identityRepository.remove(db, USER_ID)
    await flowRepository.find(db, Buffer.from('x'), 'exchange')
    await flowRepository.take(db, Buffer.from('x'), 'callback')
    await sql`select 1 from provider_flows where created_at < ${new Date(0)} limit 1000`.execute(db)
  })
  expect(plans).not.toMatch(/Seq Scan on (?:identities|provider_flows)/)
})

it('every query about devices that wait uses an index', async () => {
  const { db } = planned
  const [at, digest] = [new Date(0), Buffer.from('x')]
  const plans = await planned.plansOf(async () => {
    await deviceRepository.byDeviceCode(db, digest)
    await deviceRepository.lockByDeviceCode(db, digest)
    await deviceRepository.byUserCode(db, [digest, digest])
    await deviceRepository.recordPoll(db, digest, { polledAt: at, intervalS: 5 })
    await deviceRepository.decide(db, digest, { state: 'denied', userId: null, sessionId: null }, at)
    await deviceRepository.redeem(db, digest, at)
    await sql`select 1 from device_grants where expires_at < ${at} limit 1000`.execute(db)
    await sql`select 1 from device_grants where user_id = ${USER_ID}`.execute(db)
  })
  expect(plans).not.toMatch(/Seq Scan on device_grants/)
})

it('every query about personal access tokens uses an index', async () => {
  const { db } = planned
  const at = new Date(0)
  const plans = await planned.plansOf(async () => {
    await personalTokenRepository.listOf(db, USER_ID)
    await personalTokenRepository.valid(db, Buffer.from('digest'), at)
    await personalTokenRepository.recordUse(db, USER_ID, at, at)
    await personalTokenRepository.remove(db, USER_ID, USER_ID)
    await personalTokenRepository.deleteAll(db, USER_ID)
    await sql`select id from personal_tokens where expires_at < ${at} limit 1000`.execute(db)
  })
  expect(plans).not.toMatch(/Seq Scan on personal_tokens/)
})

it('every query about second factors uses an index', async () => {
  const { db } = planned
  const at = new Date(0)
  const challenge = { id: USER_ID, factorId: USER_ID, network: null, createdAt: at }
  const plans = await planned.plansOf(async () => {
    await factorRepository.listOf(db, USER_ID)
    await factorRepository.hasVerified(db, USER_ID)
    await factorRepository.remove(db, USER_ID, [USER_ID])
    await factorRepository.deleteUnverified(db, USER_ID, at)
    await factorRepository.findChallenge(db, USER_ID, USER_ID)
    await factorRepository.sealedAfter(db, USER_ID, 1000)
    await factorRepository.addChallenge(db, challenge, 10).catch(() => undefined)
    await recoveryCodeRepository.count(db, USER_ID)
    await factorRepository.keyOf(db, USER_ID)
    await factorRepository.setKeyCounter(db, USER_ID, 1)
    await knownCredentials(db, USER_ID)
    await recoveryCodeRepository.use(db, USER_ID, Buffer.from('x'), at)
    await sessionRepository.downgrade(db, USER_ID, [USER_ID])
    await sessionRepository.remove(db, USER_ID, { withoutFactorBut: USER_ID })
    await sql`select id from factors where status = 'unverified' and created_at < ${at} limit 1000`.execute(
      db,
    )
    await sql`select id from factor_challenges where created_at < ${at} limit 1000`.execute(db)
  })
  expect(plans).not.toMatch(
    /Seq Scan on (?:factors|factor_challenges|recovery_codes|security_keys|passkeys|sessions)/,
  )
})

// Only the number of all accounts reads every row: the admin API is for the operator's programs, and has a rate limit.
it('a page of accounts, and the number of those with a filter, use an index', async () => {
  const { db } = planned
  const plans = await planned.plansOf(async () => {
    await listUserPage(db, { page: 2, perPage: 50, filter: null })
    await listUserPage(db, { page: 1, perPage: 50, filter: 'p77' })
    await countUsers(db, 'p77')
  })
  expect(plans).not.toMatch(/Seq Scan on users/)
})
