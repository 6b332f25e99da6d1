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

  it('skip those that a later one replaces, whether or not the database has run them', async () => {
    const replacing = "export const replaces = ['20270101000000-made']"
    const other = createDb<unknown>(database.urlFor('catalogue'), logger)
    await writeMigration('20270101000000-made.ts', ['create table made_early (id integer)'])
    await migrate(db, folder)
    await rm(join(folder, '20270101000000-made.ts'))
    const statements = ['drop table if exists made_early', 'create table made_at_once (id integer)']
    await writeMigration('20270102000000-better.ts', statements, replacing)
    expect(await migrate(db, folder)).toEqual(['20270102000000-better'])
    expect((await migrate(other, folder)).slice(-2)).toEqual(['20270101000000-made', '20270102000000-better'])
    await other.destroy()
    expect(await tables()).toEqual(['made_at_once'])
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
