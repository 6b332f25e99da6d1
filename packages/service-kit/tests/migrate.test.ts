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

/** A migration file whose `up` runs these statements; `head` precedes it. */
async function write(name: string, statements: readonly string[], head = ''): Promise<void> {
  const runs = statements.map((statement) => `  await sql\`${statement}\`.execute(db)\n`).join('')
  const text = `import { sql } from 'kysely'\n${head}\nexport async function up(db) {\n${runs}}\n`
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
  // Within the package, so that its libraries are found.
  folder = await mkdtemp(join(here, '.migrations-'))
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('migrations', () => {
  it('run once each, however many processes start at once', async () => {
    await write('20270101000000-made.ts', ['create table made_once (id integer)'])
    await write('20270102000000-more.ts', ['insert into made_once values (1)'])
    const others = [1, 2, 3].map(() => createDb(database.urlFor('chat'), logger))
    const done = await Promise.all([db, ...others].map((one) => migrate(one, folder)))
    expect(done.flat().filter((name) => name.startsWith('2027'))).toEqual([
      '20270101000000-made',
      '20270102000000-more',
    ])
    expect((await sql`select * from made_once`.execute(db)).rows).toHaveLength(1)
    await Promise.all(others.map((one) => one.destroy()))
  })

  it('keep what went well when a later one fails, and nothing of that one', async () => {
    await write('20270101000000-made.ts', ['create table made_first (id integer)'])
    await write('20270102000000-bad.ts', ['create table made_second (id integer)', 'select no_such_thing()'])
    await expect(migrate(db, folder)).rejects.toThrow('no_such_thing')
    expect(await tables()).toEqual(['made_first'])
  })

  it('make an index while others write', async () => {
    await write('20270101000000-made.ts', ['create table made_full (id integer)'])
    await write(
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

  it('skip those that a later one replaces, whether or not the database ran them', async () => {
    const replacing = "export const replaces = ['20270101000000-made']"
    const other = createDb<unknown>(database.urlFor('catalogue'), logger)
    await write('20270101000000-made.ts', ['create table made_early (id integer)'])
    await migrate(db, folder)
    await rm(join(folder, '20270101000000-made.ts'))
    const statements = ['drop table if exists made_early', 'create table made_at_once (id integer)']
    await write('20270102000000-better.ts', statements, replacing)
    expect(await migrate(db, folder)).toEqual(['20270102000000-better'])
    expect((await migrate(other, folder)).slice(-2)).toEqual(['20270101000000-made', '20270102000000-better'])
    await other.destroy()
    expect(await tables()).toEqual(['made_at_once'])
  })

  it('of several services of one database make their indexes side by side', async () => {
    await write('20270101000000-made.ts', ['create table made_full (id integer)'])
    await write(
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

  it('give up rather than let everybody queue behind them', async () => {
    await migrate(db, folder)
    await write('20270101000000-column.ts', ['alter table inbox add column made_late text'])
    const held = Promise.withResolvers<void>()
    const reading = Promise.withResolvers<void>()
    const reader = db.transaction().execute(async (trx) => {
      await sql`select * from inbox`.execute(trx)
      reading.resolve()
      await held.promise
    })
    await reading.promise
    await expect(migrate(db, folder)).rejects.toThrow('lock timeout')
    held.resolve()
    await reader
    expect(await migrate(db, folder)).toEqual(['20270101000000-column'])
  })
})
