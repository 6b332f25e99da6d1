import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { withClient } from '@looptide/backing/database/set-up'
import { repositoryRoot } from '@looptide/backing/paths'
import { createDb, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '@looptide/testkit/postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Anchor, ChainResult } from '../src/audit/chain-checker.ts'
import { verifyChain } from '../src/audit/verify-chain.ts'
import { run } from '../src/run.ts'

const migrations = join(repositoryRoot, 'services/admin-audit/src/db/migrations')

let database: Awaited<ReturnType<typeof freshDatabase>>

async function migrateAdminAudit(): Promise<void> {
  const db = createDb<unknown>(database.migrationUrlFor('admin_audit'), createLogger('test', 'silent'), 1, {
    statementMs: null,
  })
  await migrate(db, migrations)
  await db.destroy()
}

beforeEach(async () => {
  database = await freshDatabase()
  await migrateAdminAudit()
})
afterEach(() => database.drop())

/** Writes an entry as the service does. */
const INSERT = `
  insert into audit_log (id, admin_user_id, action, details, before, after, created_at)
  values ($1, gen_random_uuid(), $2, $3, $4, null, now()) on conflict (id) do nothing`
const DETAILS = JSON.stringify({
  b: 1.5e3,
  a: 'ä "q" \\ \u2028',
  nested: [1, { x: null }],
  long: 'x'.repeat(9),
})

async function write(entries: number): Promise<string[]> {
  const ids = Array.from({ length: entries }, () => randomUUID())
  await withClient(database.urlFor('admin_audit'), async (client) => {
    for (const [n, id] of ids.entries())
      await client.query(INSERT, [id, `n${n + 1}`, DETAILS, n % 2 === 0 ? null : '"before"'])
  })
  return ids
}

const ADMIN = '01900000-0000-7000-8000-00000000000a'
const PERSON = '01900000-0000-7000-8000-00000000000b'

/** Writes entries of last year, of one admin about one person. */
async function writeOld(entries: number): Promise<string[]> {
  const ids = Array.from({ length: entries }, () => randomUUID())
  await withClient(database.urlFor('admin_audit'), (client) =>
    client.query(
      `insert into audit_log (id, admin_user_id, action, target_type, target_id, target_user_id, after, created_at)
      select id, $2, 'user.restriction.add', 'user', $3::text, $3::text::uuid, $4, now() - interval '400 days'
      from unnest($1::uuid[]) as id`,
      [ids, ADMIN, PERSON, JSON.stringify({ reason: 'called Ann names' })],
    ),
  )
  return ids
}

/** Runs the function that the service may call. Returns the number of entries. */
const pseudonymise = (person: string | null = null): Promise<number> =>
  withClient(database.urlFor('admin_audit'), async (client) => {
    const { rows } = await client.query<{ n: number }>('select audit_pseudonymise(now(), $1, 500) as n', [
      person,
    ])
    return rows[0]?.n ?? 0
  })

const verify = (...anchors: Anchor[]): Promise<ChainResult> =>
  withClient(database.adminUrl, (client) => verifyChain(client, anchors))

/** Changes what only a superuser can, with every trigger off. */
const tamper = (...statements: string[]): Promise<void> =>
  withClient(database.adminUrl, async (client) => {
    await client.query('set session_replication_role = replica')
    await client.query('set search_path = admin_audit, public')
    for (const statement of statements) await client.query(statement)
  })

/** Gives the entries the hashes of releases without digests, and seals them (docs/decisions/0064). */
const HASH_AS_EARLIER_RELEASES = `
  do $$
  declare
    link record;
    former bytea := decode(repeat('00', 32), 'hex');
    sealed bytea := former;
  begin
    for link in
      select c.seq, d.digest, l as entry, l.* from audit_chain c
      join audit_digests d on d.seq = c.seq join audit_log l on l.id = c.entry_id order by c.seq
    loop
      former := sha256(former || convert_to(
        jsonb_build_array(link.seq, link.id, link.admin_user_id, link.action, link.target_type, link.target_id,
          link.target_user_id, link.details, link.before, link.after, link.correlation_id,
          to_char(link.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'UTF8'));
      update audit_chain set hash = former where seq = link.seq;
      sealed := sha256(sealed || audit_content(link.seq, link.entry, link.digest));
    end loop;
    insert into audit_chain (seq, hash) select max(seq) + 1, sha256(former || sealed) from audit_chain;
  end $$`

describe('the chain of the audit log', () => {
  it('of an empty log is valid and has a head', async () => {
    expect(await verify()).toEqual({
      entries: 0,
      pseudonymised: 0,
      head: { seq: 0, hash: '0'.repeat(64) },
      fault: null,
    })
  })

  it('is valid after entries of every kind, in order, over more than a page', async () => {
    await write(3)
    await withClient(database.urlFor('admin_audit'), (client) =>
      client.query(`insert into audit_log (id, action, created_at)
        select gen_random_uuid(), 'n' || n, now() from generate_series(1, 2500) n`),
    )
    expect(await verify()).toMatchObject({ entries: 2503, fault: null })
  })

  it('has one order without a gap, however many replicas write at once, some of them the same entry', async () => {
    const shared = Array.from({ length: 20 }, () => randomUUID())
    const replica = async (): Promise<void> =>
      withClient(database.urlFor('admin_audit'), async (client) => {
        for (const id of shared) {
          await client.query(INSERT, [id, 'shared', DETAILS, null])
          await client.query(INSERT, [randomUUID(), 'own', DETAILS, null])
        }
      })
    await Promise.all([1, 2, 3, 4].map(replica))
    expect(await verify()).toMatchObject({ entries: 100, fault: null })
  })

  it('includes the entries of earlier releases', async () => {
    const ids = await writeOld(4)
    await tamper(HASH_AS_EARLIER_RELEASES)
    const former = await withClient(database.adminUrl, (client) =>
      client.query<{ hash: Buffer }>('select hash from admin_audit.audit_chain where seq = 4'),
    )
    expect(await verify()).toMatchObject({ entries: ids.length, head: { seq: 5 }, fault: null })
    await write(1)
    // Anchors from before the seal stay valid.
    const anchor = { seq: 4, hash: former.rows[0]?.hash.toString('hex') ?? '' }
    expect(await verify(anchor)).toMatchObject({ entries: 5, head: { seq: 6 }, fault: null })

    await pseudonymise()
    expect(await verify(anchor)).toMatchObject({ entries: 5, pseudonymised: 4, fault: null })
    await tamper(`update audit_log set action = 'harmless' where id = '${ids[1]}'`)
    expect((await verify()).fault?.what).toContain('one of which has been changed')
  })
})

describe('personal data of old entries', () => {
  const rows = async (): Promise<Record<string, unknown>[]> => {
    const { rows } = await withClient(database.adminUrl, (client) =>
      client.query<Record<string, unknown>>('select * from admin_audit.audit_log order by created_at'),
    )
    return rows
  }

  it('is replaced by stable pseudonyms, and the chain stays valid', async () => {
    await writeOld(3)
    await write(2)
    const { head } = await verify()
    expect(await pseudonymise()).toBe(3)
    expect(await pseudonymise()).toBe(0)
    expect(await verify(head)).toMatchObject({ entries: 5, pseudonymised: 3, fault: null })
    const [first, second] = await rows()
    expect(first).toMatchObject({ action: 'user.restriction.add', after: null, details: null })
    expect(first?.admin_user_id).not.toBe(ADMIN)
    expect(first?.target_id).toBe(first?.target_user_id)
    expect([second?.admin_user_id, second?.target_user_id]).toEqual([
      first?.admin_user_id,
      first?.target_user_id,
    ])
    expect(JSON.stringify(await rows())).not.toMatch(new RegExp(`${ADMIN}|${PERSON}|Ann`))
  })

  it('is replaced in the entries of one person, in those of the last 30 days of nobody', async () => {
    await writeOld(2)
    await write(1)
    const [, , young] = await rows()
    expect(await pseudonymise(randomUUID())).toBe(0)
    expect(await pseudonymise(PERSON)).toBe(0)
    await tamper(
      `insert into removed_accounts select id, now() - interval '30 days'
      from unnest(array['${PERSON}', '${young?.admin_user_id}']::uuid[]) as id`,
    )
    expect(await pseudonymise(String(young?.admin_user_id))).toBe(0)
    expect(await pseudonymise(PERSON)).toBe(2)
    expect(await verify()).toMatchObject({ entries: 3, pseudonymised: 2, fault: null })
  })

  it('can be changed by the service in no other way', async () => {
    await writeOld(1)
    for (const statement of [
      'update audit_log set details = null',
      "set admin_audit.pseudonymising = 'on'; update audit_log set details = null",
      'update audit_digests set salt = null',
      'select secret from audit_pseudonym_secret',
      'select audit_pseudonym(gen_random_uuid())',
    ]) {
      const attempt = withClient(database.urlFor('admin_audit'), (client) => client.query(statement))
      await expect(attempt, statement).rejects.toThrow(/permission denied/)
    }
  })

  it('hides no manipulation of what is left, nor of a young entry', async () => {
    const [old = ''] = await writeOld(2)
    const [young = ''] = await write(1)
    await pseudonymise()
    await tamper(`update audit_log set action = 'harmless' where id = '${old}'`)
    expect((await verify()).fault?.what).toBe(`has been changed (id ${old})`)
    await tamper(
      `update audit_log set action = 'user.restriction.add' where id = '${old}'`,
      `update audit_log set details = null where id = '${young}'`,
      'update audit_digests set salt = null',
    )
    expect((await verify()).fault).toEqual({ seq: 3, what: `was pseudonymised too early (id ${young})` })
  })
})

describe('manipulation by a superuser is detected', () => {
  let ids: string[]
  beforeEach(async () => {
    ids = await write(6)
  })

  it('who changes any column of an entry', async () => {
    for (const change of [
      `action = 'harmless'`,
      `admin_user_id = null`,
      `details = '{}'`,
      `before = '0'`,
      `created_at = created_at + interval '1 ms'`,
      `correlation_id = ''`,
    ]) {
      await tamper(
        'create table if not exists kept as select * from audit_log',
        'begin',
        `
        update audit_log set ${change} where id = '${ids[2]}'`,
        'commit',
      )
      expect([change, (await verify()).fault]).toEqual([
        change,
        { seq: 3, what: `has been changed (id ${ids[2]})` },
      ])
      await tamper('delete from audit_log', 'insert into audit_log select * from kept')
    }
    expect(await verify()).toMatchObject({ entries: 6, fault: null })
  })

  it('who deletes an entry, with or without its link', async () => {
    await tamper(`delete from audit_log where id = '${ids[3]}'`)
    expect(await verify()).toMatchObject({
      entries: 3,
      fault: { seq: 4, what: `is missing from the log (id ${ids[3]})` },
    })
    await tamper(`delete from audit_chain where entry_id = '${ids[3]}'`)
    expect((await verify()).fault).toEqual({ seq: 4, what: 'is missing from the chain' })
    await tamper('update audit_chain set seq = seq - 1 where seq > 4')
    expect((await verify()).fault).toEqual({ seq: 4, what: `has been changed (id ${ids[4]})` })
  })

  it('who exchanges two entries', async () => {
    await tamper(
      `update audit_chain c set entry_id = null where seq in (2, 5)`,
      `update audit_chain c set entry_id = '${ids[4]}' where seq = 2`,
      `update audit_chain c set entry_id = '${ids[1]}' where seq = 5`,
    )
    expect((await verify()).fault).toEqual({ seq: 2, what: `has been changed (id ${ids[4]})` })
  })

  it('who adds an entry by hand, or removes the beginning', async () => {
    const id = randomUUID()
    await tamper(`insert into audit_log (id, action, created_at) values ('${id}', 'never was', now())`)
    expect((await verify()).fault).toEqual({
      seq: null,
      what: `entry ${id} is in the log but not in the chain`,
    })
    await tamper(`delete from audit_log where id = '${id}'`, 'delete from audit_chain where seq = 0')
    expect((await verify()).fault).toEqual({ seq: 0, what: 'is not the beginning of a chain' })
    await tamper('delete from audit_chain')
    expect((await verify()).fault).toEqual({ seq: 0, what: 'is missing from the chain' })
  })

  it('who cuts off the end or rewrites the chain, if the head was kept elsewhere', async () => {
    const { head } = await verify()
    expect(head.seq).toBe(6)
    const cut = [
      'delete from audit_chain where seq > 4',
      'delete from audit_digests where seq > 4',
      `delete from audit_log where action in ('n5', 'n6')`,
    ]
    await tamper(...cut)
    expect((await verify()).fault).toBeNull()
    expect((await verify(head)).fault).toEqual({
      seq: 5,
      what: 'is missing, like all entries up to the anchor 6',
    })
    await write(2)
    expect((await verify()).fault).toBeNull()
    expect((await verify(head)).fault).toEqual({ seq: 6, what: 'has a different hash than the anchor' })
  })
})

describe('looptide audit verify', () => {
  const command = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
    const said = { out: '', err: '' }
    const code = await run(['audit', 'verify', ...args], {
      env: { DATABASE_URL: database.adminUrl },
      out: (text) => {
        said.out += text
      },
      err: (text) => {
        said.err += text
      },
      ask: undefined,
    })
    return { code, ...said }
  }

  it('says how many entries are right and what the last hash is, which may be expected the next time', async () => {
    await write(2)
    const { code, out } = await command()
    expect([code, out]).toEqual([0, expect.stringMatching(/^2 entries verified, head 2:[0-9a-f]{64}$/)])
    const anchor = out.split('head ')[1] ?? ''
    await write(1)
    expect(await command('--expect', anchor)).toMatchObject({ code: 0 })
    expect(await command('--expect', anchor, '--expect', `9:${'0'.repeat(64)}`)).toMatchObject({
      code: 1,
      err: 'The audit log is damaged: entry 4 is missing, like all entries up to the anchor 9.',
    })
    expect(await command('--expect', 'nonsense')).toMatchObject({ code: 2 })
  })

  it('ends with 1 and names the entry that was changed', async () => {
    const [id] = await write(2)
    await tamper(`update audit_log set details = null where id = '${id}'`)
    expect(await command()).toMatchObject({
      code: 1,
      err: `The audit log is damaged: entry 1 has been changed (id ${id}).`,
    })
  })
})
