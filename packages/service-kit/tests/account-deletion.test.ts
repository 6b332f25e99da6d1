import { randomUUID } from 'node:crypto'
import { type FreshDatabase, freshDatabase } from '@looptide/testkit/postgres'
import { type PlannedDb, plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AnyTables, deleteUserRows } from '../src/db/tables.ts'
import { deleteWithAccount, requireDeletion } from '../src/events/account-deletion.ts'

interface Database {
  likes: { userId: string; videoId: string }
  clips: { id: string; userId: string | null; addedBy: string }
}

const exported = { not: 'a test' } as const
const tables = {
  likes: { bound: 'few', columns: { userId: { exported, onDeletion: 'delete', key: 'videoId' } } },
  clips: {
    bound: 'few',
    columns: {
      addedBy: { exported, onDeletion: { hook: 'clips' } },
      userId: { exported, onDeletion: 'clear' },
    },
  },
  archive: {
    bound: 'few',
    columns: {
      userId: { exported, onDeletion: { hook: 'clips' } },
      createdBy: { exported, onDeletion: { stays: 'history' } },
      youtubeId: { mayBeGone: 'is an id of YouTube' },
    },
  },
} as const satisfies AnyTables

const [gone, other] = [randomUUID(), randomUUID()]
let database: FreshDatabase
let planned: PlannedDb<Database>
beforeAll(async () => {
  database = await freshDatabase()
  planned = plannedDb(database.adminUrl)
  const { db } = planned
  await sql`create table likes (user_id uuid, video_id uuid, primary key (user_id, video_id))`.execute(db)
  await sql`create table clips (id uuid primary key, user_id uuid, added_by uuid not null)`.execute(db)
  await sql`create index clips_of_user on clips (user_id) where user_id is not null`.execute(db)
  for (const user of [gone, other]) {
    await sql`insert into likes select ${user}::uuid, gen_random_uuid() from generate_series(1, 2500)`.execute(
      db,
    )
    await sql`insert into clips select gen_random_uuid(), ${user}::uuid, ${user}::uuid
      from generate_series(1, 2500)`.execute(db)
  }
  await sql`insert into clips select gen_random_uuid(), null, gen_random_uuid()
    from generate_series(1, 20000)`.execute(db)
  await sql`insert into likes select gen_random_uuid(), gen_random_uuid()
    from generate_series(1, 20000)`.execute(db)
  await sql`analyze`.execute(db)
})
afterAll(async () => {
  await planned.stop()
  await database.drop()
})

it('deletes and clears the rows of users in batches by an index, in the order of the tables, and runs each hook once', async () => {
  const { db } = planned
  const steps: string[] = []
  const plans = await planned.plansOf(() =>
    db.transaction().execute((trx) =>
      deleteUserRows(
        trx,
        tables,
        [gone, randomUUID()],
        {
          clips: async (cause: string) => {
            const { rows } = await sql`select from likes where user_id = ${gone}`.execute(trx)
            steps.push(`${cause}: ${rows.length} likes`)
          },
        },
        'deleted',
      ),
    ),
  )
  expect(steps).toEqual(['deleted: 0 likes'])
  expect(plans).not.toContain('Seq Scan')
  const { rows } = await sql`
    select (select count(*)::int from likes) as likes, count(*)::int as clips, count(user_id)::int as owned,
      count(*) filter (where user_id = ${other})::int as of_other from clips`.execute(db)
  expect(rows).toEqual([{ likes: 22_500, clips: 25_000, owned: 2500, ofOther: 2500 }])
})

it('a service does not start without the handler that its tables need', () => {
  const handled = deleteWithAccount<Database, typeof tables>(tables, { clips: async () => undefined })
  const required = (handlers: Parameters<typeof requireDeletion>[2]) => (): void =>
    requireDeletion('catalogue', tables, handlers)
  const remedy = /services\/catalogue\/src\/app\.ts.*packages\/contracts\/src\/events\/auth\.ts/
  expect(required({})).toThrow(remedy)
  expect(required({ 'auth.user.deleted.v1': async () => undefined })).toThrow(remedy)
  expect(() => requireDeletion('catalogue', tables, { 'auth.user.deleted.v1': handled })).not.toThrow()
  expect(() => requireDeletion('auth', tables, {})).not.toThrow()
  expect(() => requireDeletion('catalogue', { likes: { bound: 'few' } }, {})).not.toThrow()
})
