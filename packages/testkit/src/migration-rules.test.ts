import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repositoryRoot } from '@looptide/runner/paths'
import { describe, expect, it } from 'vitest'
import { findViolations } from './migration-rules.ts'

const migration = (statement: string, rest = ''): string[] =>
  findViolations({
    name: '20270101000000-something.ts',
    text: `${rest}\nexport async function up(db) {\n  await sql\`${statement}\`.execute(db)\n}\n`,
  })

describe('every migration of every service', () => {
  const paths = globSync(
    ['services/*/src/db/migrations/*.ts', 'packages/service-kit/src/db/migrations/*.ts'],
    {
      cwd: repositoryRoot,
    },
  )

  it('may run while the station does', () => {
    expect(paths.length).toBeGreaterThan(10)
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
    ['builds an index in the way of writers', 'create index a on videos (title)'],
    ['asks for what old rows lack', 'alter table videos add column a text not null'],
    [
      'rewrites a table for a default',
      'alter table videos add column a uuid not null default gen_random_uuid()',
    ],
    ['rewrites a table for a type', 'alter table videos alter column a type bigint'],
    ['looks at every row for a null', 'alter table videos alter column a set not null'],
    ['looks at every row for a rule', 'alter table videos add constraint a check (b > 0)'],
    ['builds a key in the way of writers', 'alter table videos add constraint a unique (b)'],
    ['takes from the version before what it uses', 'alter table videos drop column a'],
    ['renames under the version before', 'alter table videos rename column a to b'],
    ['changes all rows at once', 'update videos set a = 1'],
    ['locks a table', 'lock table videos'],
    ['makes an index concurrently in a transaction', 'create index concurrently a on videos (b)'],
  ])('%s', (_what, statement) => {
    expect(migration(statement)).toHaveLength(1)
  })

  it('has a way back', () => {
    expect(migration('select 1', 'export async function down(db) {}')).toHaveLength(1)
  })

  it('leaves the remains of an index that was broken off', () => {
    const outside = 'export const outsideTransaction = true'
    expect(migration('create index concurrently a on videos (b)', outside)).toHaveLength(1)
    const both =
      'drop index concurrently if exists a`.execute(db); await sql`create index concurrently a on videos (b)'
    expect(migration(both, outside)).toEqual([])
  })
})

describe('a migration is let through that', () => {
  it.each([
    ['adds a column', 'alter table videos add column a text'],
    ['adds a column with a fixed default', 'alter table videos add column a boolean not null default false'],
    ['adds a rule for what comes', 'alter table videos add constraint a check (b > 0) not valid'],
    ['validates it later', 'alter table videos validate constraint a'],
    ['makes a table with all it needs', 'create table a (b text not null)`; sql`create index c on a (b)'],
    ['adds a trigger', 'create trigger a after update on videos for each row execute function b()'],
    ['makes sure of a row', 'insert into a values (1) on conflict (b) do update set c = 1'],
    ['changes rows that it names', 'update videos set a = 1 where id = 2'],
  ])('%s', (_what, statement) => {
    expect(migration(statement)).toEqual([])
  })

  it('says since when nobody uses what it drops', () => {
    expect(migration('drop table a', "export const unusedSince = '0.2.0'")).toEqual([])
  })
})
