import { join } from 'node:path'
import { createDb, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import type { Backing } from '@looptide/testkit/backing'
import { startPostgres } from '@looptide/testkit/postgres'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type DatabaseOwner,
  databaseOwnerNames,
  databaseOwners,
  ownershipOf,
} from '../src/database/owners.ts'
import { migrationUrl, ownerUrl, setUpDatabase, withClient, withDatabase } from '../src/database/set-up.ts'
import { repositoryRoot } from '../src/paths.ts'

const passwords = (text: string) =>
  Object.fromEntries(databaseOwnerNames.map((owner) => [owner, `${text}-${owner}`])) as Record<
    DatabaseOwner,
    string
  >

let server: Backing
let admin: URL
const setUp = (text: string) =>
  setUpDatabase({ adminUrl: admin.href, database: 'station', passwords: passwords(text) })

beforeAll(async () => {
  server = await startPostgres()
  await withClient(server.url, async (client) => {
    // Roles belong to the whole server: those of other tests are renamed.
    for (const { role, tableOwner } of databaseOwnerNames.map(ownershipOf))
      for (const name of [role, tableOwner].filter((one) => one !== undefined))
        await client.query(`ALTER ROLE ${name} RENAME TO the_tests_${name}`)
    await client.query("CREATE ROLE station_admin LOGIN CREATEROLE PASSWORD 'admin'")
    await client.query('CREATE DATABASE station OWNER station_admin')
  })
  admin = new URL(withDatabase(server.url, 'station'))
  admin.username = 'station_admin'
  admin.password = 'admin'
})
afterAll(() => server.stop())

it('is made, and given new passwords, by an administrator who is no superuser', async () => {
  await setUp('first')
  await setUp('second')

  for (const owner of databaseOwnerNames) {
    const url = ownerUrl(admin.href, 'station', owner, passwords('second')[owner])
    const { rows } = await withClient(url, (client) =>
      client.query(`SELECT current_schema() AS schema, rolsuper OR rolcreaterole OR rolcreatedb AS mighty,
        has_schema_privilege('public', 'CREATE') AS litters,
        (SELECT array_agg(nspname::text) FROM pg_namespace
         WHERE nspname !~ '^(pg_|information_schema$|public$)' AND has_schema_privilege(oid, 'USAGE')) AS sees
        FROM pg_roles WHERE rolname = current_user`),
    )
    const { schema } = databaseOwners[owner]
    expect(rows).toEqual([{ schema, mighty: false, litters: false, sees: [schema] }])
  }
})

it('a role without a password cannot log in; its tables are migrated by the administrator, and given to it', async () => {
  const { audience, ...others } = passwords('second')
  await setUpDatabase({ adminUrl: admin.href, database: 'station', passwords: others })
  const url = ownerUrl(admin.href, 'station', 'audience', audience)
  await expect(withClient(url, (client) => client.query('SELECT 1'))).rejects.toThrow(
    'not permitted to log in',
  )
  await withClient(migrationUrl(admin.href, 'station', 'audience', undefined), (client) =>
    client.query('CREATE TABLE things (what text)'),
  )
  await setUp('second')
  const { rows } = await withClient(url, (client) =>
    client.query(
      "SELECT tableowner AS owner, schemaname AS schema FROM pg_tables WHERE tablename = 'things'",
    ),
  )
  expect(rows).toEqual([{ owner: 'looptide_audience', schema: 'audience' }])
  await withClient(url, (client) => client.query('DROP TABLE things'))
})

describe('a service whose tables belong to another role', () => {
  const asOwner = (work: (client: pg.Client) => Promise<unknown>) =>
    withClient(migrationUrl(admin.href, 'station', 'admin_audit', ''), work)
  const asService = <T extends pg.QueryResultRow>(statement: string) =>
    withClient(ownerUrl(admin.href, 'station', 'admin_audit', passwords('second').admin_audit), (client) =>
      client.query<T>(statement),
    )

  it('reads and writes rows of what the migrations make, and changes no table', async () => {
    await setUp('second')
    await asOwner(async (client) => {
      await client.query('CREATE TABLE things (id bigserial primary key, what text)')
    })
    await asService(`INSERT INTO things (what) VALUES ('one')`)
    await asService(`UPDATE things SET what = 'two'`)
    expect((await asService('SELECT what FROM things')).rows).toEqual([{ what: 'two' }])
    for (const statement of ['DROP TABLE things', 'ALTER TABLE things ADD more text', 'CREATE TABLE more ()'])
      await expect(asService(statement)).rejects.toThrow(/permission denied|must be owner/)
  })

  it('keeps the rights on tables, sequences and functions that the migrations have given it, and gets no other', async () => {
    const url = await setUpDatabase({
      adminUrl: server.url,
      database: 'migrated',
      passwords: passwords('one'),
    })
    const owner = migrationUrl(server.url, 'migrated', 'admin_audit', '')
    const db = createDb<unknown>(owner, createLogger('test', 'silent'), 1, { statementMs: null })
    await migrate(db, join(repositoryRoot, 'services/admin-audit/src/db/migrations'))
    await db.destroy()
    const rights = () =>
      withClient(url, async (client) => {
        const { rows } = await client.query(`
          SELECT relname::text AS name, relacl::text AS acl FROM pg_class
          WHERE relnamespace = 'admin_audit'::regnamespace AND relkind IN ('r', 'S')
          UNION ALL SELECT proname, proacl::text FROM pg_proc WHERE pronamespace = 'admin_audit'::regnamespace
          ORDER BY 1, 2`)
        return rows
      })
    const before = await rights()
    await setUpDatabase({ adminUrl: server.url, database: 'migrated', passwords: passwords('second') })
    expect(await rights()).toEqual(before)
  })

  it('no longer owns the tables that it owned in an earlier release, and loses no row', async () => {
    const { schema, role } = databaseOwners.admin_audit
    await withClient(withDatabase(server.url, 'station'), async (client) => {
      await client.query(`ALTER SCHEMA ${schema} OWNER TO ${role}`)
      await client.query(`SET ROLE ${role}`)
      await client.query(`CREATE TABLE ${schema}.audit_log (id bigserial primary key)`)
      await client.query(`CREATE TABLE ${schema}.inbox (id bigserial primary key)`)
      await client.query(`INSERT INTO ${schema}.audit_log DEFAULT VALUES`)
    })
    await setUp('second')
    await setUp('second')
    await asService('INSERT INTO audit_log DEFAULT VALUES')
    expect((await asService('SELECT id FROM audit_log')).rows).toHaveLength(2)
    await asService('DELETE FROM inbox')
    for (const statement of [
      'DELETE FROM audit_log',
      'DROP TABLE audit_log',
      `DROP SCHEMA ${schema} CASCADE`,
    ])
      await expect(asService(statement)).rejects.toThrow(/permission denied|must be owner/)
    await asOwner((client) => client.query('ALTER TABLE audit_log ADD more text'))
  })
})
