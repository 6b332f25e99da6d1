import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { databaseOwnerNames } from '@looptide/backing/database/owners'
import { repositoryRoot } from '@looptide/backing/paths'
import { describe, expect, it } from 'vitest'
import { findViolations } from './migration-rules.ts'

const migration = (statement: string, rest = ''): string[] =>
  findViolations({
    name: '20270101000000-something.ts',
    text: `${rest}\nexport async function up(db) {\n  await sql\`${statement}\`.execute(db)\n}\n`,
  })

describe('every migration of every service', () => {
  const paths = globSync('services/*/src/db/migrations/*.ts', { cwd: repositoryRoot })

  it('can run while the station is on the air', () => {
    expect(paths.length).toBeGreaterThanOrEqual(databaseOwnerNames.length)
    const faults = paths.flatMap((path) =>
      findViolations({ name: basename(path), text: readFileSync(join(repositoryRoot, path), 'utf8') }).map(
        (fault) => `${path}: ${fault}`,
      ),
    )
    expect(faults).toEqual([])
  })
})

describe('a migration is refused that', () => {
  it.each([
    ['builds an index that blocks writes', 'create index a on videos (title)'],
    ['adds a NOT NULL column without a default', 'alter table videos add column a text not null'],
    [
      'rewrites a table because of a default',
      'alter table videos add column a uuid not null default gen_random_uuid()',
    ],
    ['rewrites a table because of a type', 'alter table videos alter column a type bigint'],
    ['scans all rows for NULL', 'alter table videos alter column a set not null'],
    ['scans all rows for a constraint', 'alter table videos add constraint a check (b > 0)'],
    ['builds a key that blocks writes', 'alter table videos add constraint a unique (b)'],
    ['drops a column that the previous version uses', 'alter table videos drop column a'],
    ['renames a column that the previous version uses', 'alter table videos rename column a to b'],
    ['changes all rows at once', 'update videos set a = 1'],
    ['locks a table', 'lock table videos'],
    ['creates an index concurrently in a transaction', 'create index concurrently a on videos (b)'],
  ])('%s', (_what, statement) => {
    expect(migration(statement)).toHaveLength(1)
  })

  it('has a function down', () => {
    expect(migration('select 1', 'export async function down(db) {}')).toHaveLength(1)
  })

  it('does not drop the index of an interrupted build', () => {
    const outside = 'export const outsideTransaction = true'
    expect(migration('create index concurrently a on videos (b)', outside)).toHaveLength(1)
    const both =
      'drop index concurrently if exists a`.execute(db); await sql`create index concurrently a on videos (b)'
    expect(migration(both, outside)).toEqual([])
  })
})

describe('a migration is accepted that', () => {
  it.each([
    ['adds a column', 'alter table videos add column a text'],
    ['adds a column with a fixed default', 'alter table videos add column a boolean not null default false'],
    ['adds a constraint for new rows', 'alter table videos add constraint a check (b > 0) not valid'],
    ['validates it later', 'alter table videos validate constraint a'],
    ['creates a table with an index', 'create table a (b text not null)`; sql`create index c on a (b)'],
    ['adds a trigger', 'create trigger a after update on videos for each row execute function b()'],
    ['upserts a row', 'insert into a values (1) on conflict (b) do update set c = 1'],
    ['updates selected rows', 'update videos set a = 1 where id = 2'],
  ])('%s', (_what, statement) => {
    expect(migration(statement)).toEqual([])
  })

  it('drops what is marked as unused', () => {
    expect(migration('drop table a', "export const unusedSince = '0.2.0'")).toEqual([])
  })
})
