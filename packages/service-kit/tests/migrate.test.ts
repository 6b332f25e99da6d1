import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freshDatabase } from '@looptide/testkit/postgres'
import { type Kysely, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDb, migrate } from '../src/db/db.ts'
import { logger } from './fixtures.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
let db: Kysely<unknown>
let folder: string

const here = fileURLToPath(new URL('.', import.meta.url))

/** Writes a migration file whose `up` runs these statements; `head` is placed before `up`. */
async function writeMigration(name: string, statements: readonly string[], head = ''): Promise<void> {
  const calls = statements.map((statement) => `  await sql\`${statement}\`.execute(db)\n`).join('')
  const text = `import { sql } from 'kysely'\n${head}\nexport async function up(db) {\n${calls}}\n`
  await writeFile(join(folder, name), text)
}

const tables = async (): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema() and tablename like 'made%'`.execute(
    db,
  )
  return rows.map(({ name }) => name).sort()
}

beforeEach(async () => {
  database = await freshDatabase()
  db = createDb(database.urlFor('chat'), logger)
  // Inside the package, so that imports of its dependencies resolve.
  folder = await mkdtemp(join(here, '.migrations-'))
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('migrations', () => {
  it('run once each when several processes start at the same time', async () => {
    await writeMigration('20270101000000-made.ts', ['create table made_once (id integer)'])
    await writeMigration('20270102000000-more.ts', ['insert into made_once values (1)'])
    const others = [1, 2, 3].map(() => createDb(database.urlFor('chat'), logger))
    const done = await Promise.all([db, ...others].map((one) => migrate(one, folder)))
    expect(done.flat().filter((name) => name.startsWith('2027'))).toEqual([
      '20270101000000-made',
      '20270102000000-more',
    ])
    expect((await sql`select * from made_once`.execute(db)).rows).toHaveLength(1)
    await Promise.all(others.map((one) => one.destroy()))
  })

  it('keep the changes of earlier ones when a later one fails, and none of the failed one', async () => {
    await writeMigration('20270101000000-made.ts', ['create table made_first (id integer)'])
    await writeMigration('20270102000000-bad.ts', [
      'create table made_second (id integer)',
      'select no_such_thing()',
    ])
    await expect(migrate(db, folder)).rejects.toThrow('no_such_thing')
    expect(await tables()).toEqual(['made_first'])
  })

  it('create an index concurrently, outside a transaction', async () => {
    await writeMigration('20270101000000-made.ts', ['create table made_full (id integer)'])
    await writeMigration(
      '20270102000000-index.ts',
      [
        'drop index concurrently if exists made_by_id',
        'create index concurrently made_by_id on made_full (id)',
      ],
      'export const outsideTransaction = true',
    )
    await migrate(db, folder)
    const { rows } = await sql`
      select 1 from pg_index where indexrelid = 'made_by_id'::regclass and indisvalid`.execute(db)
    expect(rows).toHaveLength(1)
  })

  it('of several services of one database create their indexes at the same time', async () => {
    await writeMigration('20270101000000-made.ts', ['create table made_full (id integer)'])
    await writeMigration(
      '20270102000000-index.ts',
      ['create index concurrently made_by_id on made_full (id)'],
      'export const outsideTransaction = true',
    )
    const owners = ['chat', 'catalogue', 'auth', 'scheduler'] as const
    const services = owners.map((owner) => createDb<unknown>(database.urlFor(owner), logger))
    const done = await Promise.all(services.map((one) => migrate(one, folder)))
    await Promise.all(services.map((one) => one.destroy()))
    expect(done.map((names) => names.at(-1))).toEqual(owners.map(() => '20270102000000-index'))
  })

  it('fail with a lock timeout instead of making other queries wait', async () => {
    await migrate(db, folder)
    await writeMigration('20270101000000-column.ts', ['alter table inbox add column made_late text'])
    const readerReleased = Promise.withResolvers<void>()
    const tableRead = Promise.withResolvers<void>()
    const reader = db.transaction().execute(async (trx) => {
      await sql`select * from inbox`.execute(trx)
      tableRead.resolve()
      await readerReleased.promise
    })
    await tableRead.promise
    await expect(migrate(db, folder)).rejects.toThrow('lock timeout')
    readerReleased.resolve()
    await reader
    expect(await migrate(db, folder)).toEqual(['20270101000000-column'])
  })
})

describe('a database from before the baseline', () => {
  const BASE = ['20261127000000-baseline', '20261127000000-event-tables']

  /** A baseline of one table, which the newest migration `earlier` had without the column `name`. */
  const writeBaseline = (): Promise<void> =>
    writeMigration(
      `${BASE[0]}.ts`,
      ['create table if not exists made_base (id integer, name text)'],
      `export const bridge = {
  states: { '20261121000000-earlier': 'e643dcf', '20261126000000-latest': '17e9159a' },
  alter: "alter table made_base add column if not exists name text",
  convert: async (db, from) => { await sql\`update made_base set name = \${from}\`.execute(db) },
}`,
    )

  /** Creates the state after these migrations, with one row. */
  async function createEarlier(...names: string[]): Promise<void> {
    await migrate(db, folder)
    await sql`create table made_base (id integer)`.execute(db)
    await sql`insert into made_base values (1)`.execute(db)
    await sql`delete from kysely_migration`.execute(db)
    await sql`insert into kysely_migration (name, timestamp) select unnest(${names}::text[]), '2026-11-26T12:00:00.000Z'`.execute(
      db,
    )
    await writeBaseline()
  }

  const recorded = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    return rows.map(({ name }) => name)
  }

  it('gets what it lacks, keeps its rows, and runs later migrations', async () => {
    await createEarlier('20261120000000-first', '20261121000000-earlier')
    await writeMigration('20270101000000-made.ts', ['create table made_later (id integer)'])
    expect(await migrate(db, folder)).toEqual([...BASE, '20270101000000-made'])
    expect((await sql`select * from made_base`.execute(db)).rows).toEqual([{ id: 1, name: 'e643dcf' }])
    expect(await recorded()).toEqual([...BASE, '20270101000000-made'])
    expect(await migrate(db, folder)).toEqual([])
  })

  it('with the tables of the baseline is not changed, also after later migrations', async () => {
    const later = '20270101000000-made'
    await createEarlier('20261121000000-earlier', '20261126000000-latest', later)
    await writeMigration(`${later}.ts`, ['select this_has_been_run()'])
    expect(await migrate(db, folder)).toEqual(BASE)
    expect((await sql`select * from made_base`.execute(db)).rows).toEqual([{ id: 1 }])
    expect(await recorded()).toEqual([...BASE, later])
    expect(await migrate(db, folder)).toEqual([])
  })

  it('is refused in a state between those that are known, and stays as it is', async () => {
    await createEarlier('20261121000000-earlier', '20261123000000-between')
    await expect(migrate(db, folder)).rejects.toThrow(
      'The newest migration of this database is 20261123000000-between. This version can upgrade databases of the commits e643dcf, a1f7ac93 and 17e9159a. Run the migrations of 17e9159a first.',
    )
    expect(await recorded()).toEqual(['20261121000000-earlier', '20261123000000-between'])
  })

  it('keeps everything when a step fails', async () => {
    await createEarlier('20261121000000-earlier')
    await sql`alter table made_base add constraint made_check check (id > 1) not valid`.execute(db)
    await expect(migrate(db, folder)).rejects.toThrow('made_check')
    expect((await sql`select * from made_base`.execute(db)).rows).toEqual([{ id: 1 }])
    expect(await recorded()).toEqual(['20261121000000-earlier'])
  })
})
