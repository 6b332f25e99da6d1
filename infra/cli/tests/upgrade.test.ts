import { readFile } from 'node:fs/promises'
import { databaseOwners } from '@looptide/backing/database/owners'
import { withClient } from '@looptide/backing/database/set-up'
import { separateRoles } from '@looptide/backing/database/table-owner'
import { createDb, MIGRATION_TIMEOUTS, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { type FreshDatabase, freshDatabase } from '@looptide/testkit/postgres'
import { dumpOf, serviceSchemas } from '@looptide/testkit/schema/service-schemas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyChain } from '../src/audit/verify-chain.ts'

type Row = Record<string, unknown>
/** The rows of all tables, by schema and table. */
type Rows = ReadonlyMap<string, readonly Row[]>

/** Texts that requests cannot contain any more, and what becomes of them. */
const NORMALISED: Readonly<Record<string, unknown>> = {
  'Zoe\u0308': 'Zoë',
  'bo0m zoe\u0308': 'bo0m zoë',
  'Bjo\u0308rk': 'Björk',
  'Cafe\u0301': 'Café',
  'Cafe\u0301 TV': 'Café TV',
  'Ca\u0301fe': 'Cáfe',
  'ca\u0301fe\nsecond line': 'cáfe\nsecond line',
  'Rude\u200b words': 'Rude words',
  'de\u0301ja\u0300 vu': 'déjà vu',
  'de\u0301ja\u0300 vu\u200b': 'déjà vu',
  'R\u200bock': 'Rock',
  'Live\u200b': 'Live',
  'Line one\u2028Line two': 'Line one\nLine two',
  'Ne\u0301xt': 'Néxt',
  'Te\u0301l\u200b': 'Tél',
  'Cle\u0301': 'Clé',
  '\u3164\u200b': 'Loading...',
  'Beyonce\u0301': 'Beyoncé',
  'Pas de\u0301': 'Pas dé',
  'Liste e\u0301': 'Liste é',
  'Supprime\u0301': 'Supprimé',
  'De\u0301bat': 'Débat',
  'e\u0301': 'é',
  'cafe\u0301': 'café',
}
/** Tags that are equal become one. */
const TAGS = ['Cafe\u0301', 'CAFÉ']
/** The search is built again from the videos; the migrator's tables name the baseline. */
const REBUILT = /\.(?:kysely_\w+|artists|video_documents|search_\w+)$/

async function readRows(adminUrl: string): Promise<Rows> {
  return withClient(adminUrl, async (client) => {
    const tables = await client.query<{ schema: string; table: string }>(
      `SELECT schemaname AS schema, tablename AS table FROM pg_tables WHERE schemaname = ANY ($1) ORDER BY 1, 2`,
      [Object.values(databaseOwners).map(({ schema }) => schema)],
    )
    const rows = new Map<string, Row[]>()
    for (const { schema, table } of tables.rows) {
      const found = await client.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${schema}.${table} t`)
      rows.set(
        `${schema}.${table}`,
        found.rows.map(({ row }) => row),
      )
    }
    return rows
  })
}

/** The value that a column has after the upgrade. */
function upgraded(value: unknown): unknown {
  if (typeof value === 'string') return NORMALISED[value] ?? value
  if (Array.isArray(value)) return value.filter((one) => one !== TAGS[1]).map(upgraded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, upgraded(inner)]))
}

const sorted = (rows: readonly Row[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted()

/** Results of searches by the index, for texts that many, few and no videos contain. */
async function search(adminUrl: string): Promise<unknown[]> {
  return withClient(adminUrl, async (client) => {
    await client.query('SET search_path = catalogue, public; SET jit = off')
    const results = []
    for (const text of [
      'love rain heart',
      'rain',
      'o b',
      '&',
      'ö',
      'AC/DC',
      'zyzzyva',
      'absent',
      'Unknown',
    ]) {
      const indexed = await client.query('SELECT search_videos($1, $2, 100, 0) AS id', [text, `%${text}%`])
      const scanned = await client.query('SELECT search_videos($1, $2, 100, 100) AS id', [text, `%${text}%`])
      const artists = await client.query('SELECT * FROM search_artists($1, $2, 100)', [text, `%${text}%`])
      results.push({ text, indexed: indexed.rows, scanned: scanned.rows, artists: artists.rows })
    }
    return results
  })
}

async function migrateAll(database: FreshDatabase): Promise<void> {
  for (const { owner, migrations } of serviceSchemas) {
    const db = createDb<unknown>(
      database.migrationUrlFor(owner),
      createLogger('test', 'silent'),
      1,
      MIGRATION_TIMEOUTS,
    )
    await migrate(db, migrations)
    await db.destroy()
  }
}

const commits = [
  { commit: 'e643dcf', entries: 2 },
  { commit: 'a1f7ac93', entries: 3 },
]
describe.each(commits)('a database of the commit $commit, restored and upgraded', ({ commit, entries }) => {
  let database: FreshDatabase
  let before: Rows
  let found: unknown[]

  beforeAll(async () => {
    database = await freshDatabase()
    const dump = await readFile(new URL(`upgrades/${commit}.sql`, import.meta.url), 'utf8')
    await withClient(database.adminUrl, async (client) => {
      await client.query(dump)
      // As the set-up does before migrations.
      await client.query('BEGIN')
      await separateRoles(client, databaseOwners.admin_audit)
      await client.query('COMMIT')
    })
    before = await readRows(database.adminUrl)
    found = await search(database.adminUrl)
    await migrateAll(database)
  })
  afterAll(() => database.drop())

  it('has the schema of a new one', async () => {
    for (const { owner, files } of serviceSchemas)
      expect(await dumpOf(database.adminUrl, owner)).toBe(await readFile(files.sql, 'utf8'))
  })

  it('keeps every row and value, with normal texts', async () => {
    const after = await readRows(database.adminUrl)
    expect(before.size).toBeGreaterThan(40)
    for (const [table, rows] of before) {
      if (REBUILT.test(table)) continue
      // The audit log is never changed. Of two filters with the same name one gets a number.
      const expected = table === 'admin_audit.audit_log' ? rows : rows.map((row) => upgraded(row) as Row)
      const renamed = expected.map((row, index) =>
        table === 'catalogue.video_filters' && rows[index]?.name === TAGS[0]
          ? { ...row, name: 'Café (2)' }
          : row,
      )
      const columns = Object.keys(rows[0] ?? {})
      const kept = (after.get(table) ?? []).map((row) =>
        Object.fromEntries(columns.map((column) => [column, row[column]])),
      )
      expect([table, sorted(kept)]).toEqual([table, sorted(renamed)])
    }
  })

  it('finds the same videos and artists, also videos that are added later', async () => {
    expect(await search(database.adminUrl)).toEqual(found)
    const added = await withClient(database.adminUrl, async (client) => {
      await client.query('SET search_path = catalogue, public')
      await client.query(`INSERT INTO videos (id, title, artist_name, artist_given, duration_ms, duration_assumed,
        video_url, is_public, metadata_status) VALUES (gen_random_uuid(), 'Quixotic', 'Nobody', true, 1000, false,
        'https://media.test/later.mp4', true, 'resolved')`)
      return client.query(
        `SELECT title FROM videos WHERE id = (SELECT search_videos('quixotic', '%quixotic%', 9, 0))`,
      )
    })
    expect(added.rows).toEqual([{ title: 'Quixotic' }])
  })

  it('has an audit log whose chain is valid', async () => {
    expect(await withClient(database.adminUrl, (client) => verifyChain(client, []))).toMatchObject({
      entries,
      fault: null,
    })
  })

  it('is in use: nothing of the first start is repeated, and what new tables derive is filled', async () => {
    const after = await readRows(database.adminUrl)
    const steps = (schema: string) => (after.get(`${schema}.first_start_steps`) ?? []).map(({ step }) => step)
    expect(['auth', 'catalogue', 'scheduler'].flatMap(steps)).toEqual([
      'first-admin',
      'demo-library',
      'channel default',
      'channel test-card',
      'channel night-and-day',
    ])
    const skeletons = (after.get('auth.profiles') ?? []).map((row) => [row.handle, row.handle_skeleton])
    expect(Object.fromEntries(skeletons)).toEqual({ Admin: 'adrnin', Bo0m: 'boorn', boorn: null })
    const airings = after.get('scheduler.last_airings') ?? []
    expect(airings).toHaveLength(1)
    if (commit === 'e643dcf') expect(airings[0]).toMatchObject({ started_at_ms: 1_795_000_000_000 })
  })
})

/** The newest migration of each schema in a database of 17e9159a, whose tables are those of a new one. */
const NEWEST = {
  auth: '20261126233500-flow-generations',
  catalogue: '20261126190000-normal-texts',
  scheduler: '20261126190000-normal-texts',
  chat: '20261126190000-normal-texts',
  admin_audit: '20261126190000-normal-texts',
}

it('a database of the commit 17e9159a keeps everything', async () => {
  const database = await freshDatabase()
  await migrateAll(database)
  const recorded = await readRows(database.adminUrl)
  await withClient(database.adminUrl, async (client) => {
    for (const [schema, newest] of Object.entries(NEWEST))
      await client.query(`DELETE FROM ${schema}.kysely_migration WHERE name LIKE '%-event-tables';
        UPDATE ${schema}.kysely_migration SET name = '${newest}' WHERE name LIKE '%-baseline'`)
  })
  await migrateAll(database)
  const withoutTimes = (rows: Rows) =>
    [...rows].map(([table, all]) => [table, sorted(all.map(({ timestamp: _, ...row }) => row))])
  expect(withoutTimes(await readRows(database.adminUrl))).toEqual(withoutTimes(recorded))
  await database.drop()
})
