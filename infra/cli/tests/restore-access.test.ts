import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withClient } from '@looptide/backing/database/set-up'
import { repositoryRoot } from '@looptide/backing/paths'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withBackup } from '../src/backup/archive.ts'
import { EMPTIED_TABLES } from '../src/backup/end-access.ts'
import { type KeySecret, requireSecret } from '../src/backup/require-secret.ts'
import { takeBackup } from '../src/backup/take-backup.ts'
import { restore, startRestoreTarget, type TestTarget } from './_restore-target.ts'

const AUTH = join(repositoryRoot, 'services/auth/src/db')
/** Tables of auth that a restore leaves as they are in the backup, except for some of their rows and columns. */
const KEPT_TABLES = [
  ...['users', 'profiles', 'avatars', 'user_roles', 'user_restrictions', 'kept_restrictions', 'sign_ins'],
  // Ways to sign in that their owner added: without them the owner could not sign in.
  ...['factors', 'security_keys', 'recovery_codes', 'passkeys', 'identities'],
  // What counts and refuses requests.
  ...[
    'account_networks',
    'mail_throttle',
    'revoked_keys',
    'revoked_sessions',
    'outdated_sessions',
    'spent_passkey_challenges',
  ],
  // Finds a wrong AUTH_KEY_SECRET at the next start.
  'secret_check',
  // Keeps the next start from creating the first admin again.
  'first_start_steps',
  ...['mail_outbox', 'outbox', 'published_events', 'inbox', 'dead_letters', 'leases'],
]
const USER = '00000000-0000-0000-0000-000000000001'
const OTHER = '00000000-0000-0000-0000-000000000002'

/** Everything that gives access, each with one row, beside what must remain. */
const ROWS = `
  insert into users (id, email, password_hash, email_confirmed_at, created_at, updated_at, new_email, email_change_sent_at,
    email_change_agreed, reauthentication_digest, reauthentication_sent_at) values
    ('${USER}', 'a@example.test', 'hash', now(), now(), now(), 'b@example.test', now(), 'new', '\\x01', now()),
    ('${OTHER}', 'c@example.test', 'hash', now(), now(), now(), null, null, null, null, null);
  insert into sessions (id, user_id, counter, token_salt, method, created_at, refreshed_at)
    values (gen_random_uuid(), '${USER}', 1, '\\x01', 'password', now(), now());
  insert into personal_tokens (id, user_id, token_digest, name, scopes, has_factor, created_at, expires_at)
    values (gen_random_uuid(), '${USER}', decode(repeat('01', 32), 'hex'), 'script', '{}', false, now(), now() + interval '1 day');
  insert into one_time_tokens (id, user_id, slot, email, token_digest, code_digest, created_at, expires_at)
    values (gen_random_uuid(), '${USER}', 'recovery', 'a@example.test', '\\x01', '\\x01', now(), now() + interval '1 hour');
  insert into earlier_tokens (id, user_id, slot, email, token_digest, code_digest, created_at, expires_at)
    values (gen_random_uuid(), '${USER}', 'recovery', 'a@example.test', '\\x01', '\\x01', now(), now() + interval '1 hour');
  insert into auth_codes (code_digest, user_id, method, code_challenge, code_challenge_method, created_at)
    values ('\\x01', '${USER}', 'otp', 'x', 's256', now());
  insert into provider_flows (digest, step, provider, sealed, code_challenge, code_challenge_method, redirect_to, began_at, created_at)
    values ('\\x01', 'exchange', 'company', '\\x01', 'x', 's256', '/', now(), now());
  insert into device_grants (device_code_digest, user_code_digest, name, state, interval_s, created_at, expires_at)
    values ('\\x01', '\\x01', 'TV', 'waiting', 5, now(), now());
  insert into factors (id, user_id, factor_type, friendly_name, status, created_at, updated_at) values
    ('00000000-0000-0000-0000-0000000000f1', '${USER}', 'webauthn', 'used', 'verified', now(), now()),
    ('00000000-0000-0000-0000-0000000000f2', '${USER}', 'webauthn', 'begun', 'unverified', now(), now());
  insert into factor_challenges (id, factor_id, created_at)
    values (gen_random_uuid(), '00000000-0000-0000-0000-0000000000f1', now());
  insert into mail_outbox (user_id, slot, sealed, next_attempt_at, expires_at) values
    ('${USER}', 'recovery', '\\x01', now(), now()), ('${USER}', null, '\\x02', now(), now());
  insert into signing_keys (kid, public_jwk, sealed_private_jwk, created_at, signs_from)
    values ('kid', '{}', '\\x01', now(), now());
  insert into first_start_steps (step) values ('first-admin');`

const SECRET = 'a secret for tests, long enough to pass'
/** The check value that auth stored with this secret. */
const SEALED_CHECK = '3209684c5120aabc54c3a647536881c05deb729f518a5cc7476f05c7daf9efa1625d8a15'
const secretOf = (current: string | undefined, previous?: string) => ({ current, previous, hint: 'copy it' })

let test: TestTarget
let file: string
const rowsOf = <T extends object>(text: string): Promise<T[]> =>
  withClient(test.database.urlFor('auth'), async (client) => (await client.query<T>(text)).rows)
const sizes = async (tables: readonly string[]): Promise<Record<string, number>> =>
  Object.fromEntries(
    await Promise.all(tables.map(async (name) => [name, (await rowsOf(`select 1 from ${name}`)).length])),
  ) as Record<string, number>

beforeAll(async () => {
  test = await startRestoreTarget({ auth: join(AUTH, 'migrations') })
  await rowsOf(ROWS)
  // As the first start stores it.
  await rowsOf(`insert into secret_check (sealed) values ('\\x${SEALED_CHECK}')`)
  file = join(test.folder, 'backup')
  await takeBackup(file, test.settings)
})
afterAll(() => test.stop())

it('every table of auth either gives access, which a restore ends, or does not', () => {
  const schema = readFileSync(join(AUTH, 'schema.sql'), 'utf8')
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name]) => name)
  expect([...EMPTIED_TABLES, ...KEPT_TABLES].sort()).toEqual(tables.sort())
})

it('a restore ends sessions, access tokens, links, codes, pending changes and unfinished enrolments', async () => {
  expect(Object.values(await sizes(EMPTIED_TABLES))).not.toContain(0)
  await restore(file, test.target)
  expect(await sizes(EMPTIED_TABLES)).toEqual(Object.fromEntries(EMPTIED_TABLES.map((name) => [name, 0])))
  expect(await rowsOf('select friendly_name from factors')).toEqual([{ friendly_name: 'used' }])
  expect(await rowsOf('select slot from mail_outbox')).toEqual([{ slot: null }])
  const pending = `select new_email, email_change_sent_at, email_change_agreed, reauthentication_digest,
    reauthentication_sent_at from users where id = '${USER}'`
  expect(Object.values((await rowsOf(pending))[0] ?? {})).toEqual([null, null, null, null, null])
})

it('a restore keeps accounts, passwords, and what shows a wrong AUTH_KEY_SECRET', async () => {
  await restore(file, test.target)
  const kept = await rowsOf(
    'select email, password_hash, email_confirmed_at is not null as c from users order by email',
  )
  expect(kept).toEqual(
    ['a@example.test', 'c@example.test'].map((email) => ({ email, password_hash: 'hash', c: true })),
  )
  expect(await rowsOf('select 1 from secret_check')).toHaveLength(1)
})

it('a restore needs the secret of the backup, and says so before anything is written', async () => {
  const check = (secret: KeySecret) => withBackup(file, undefined, (backup) => requireSecret(backup, secret))
  const other = 'another secret for tests, long enough'
  await check(secretOf(SECRET))
  await check(secretOf(other, SECRET))
  for (const secret of [secretOf(undefined), secretOf(other)])
    await expect(check(secret)).rejects.toThrow('belongs to a station with another secret: copy it')
})

it('a restore without that secret deletes what it encrypted', async () => {
  await restore(file, { ...test.target, hasNewSecret: true })
  expect(await sizes(['secret_check', 'mail_outbox', 'users'])).toEqual({
    secret_check: 0,
    mail_outbox: 0,
    users: 2,
  })
})

it('a restore keeps all of these if the operator wants it', async () => {
  await restore(file, { ...test.target, keepSessions: true })
  expect(Object.values(await sizes(EMPTIED_TABLES))).not.toContain(0)
  expect(await rowsOf('select 1 from users where new_email is not null')).toHaveLength(1)
})
