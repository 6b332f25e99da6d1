import { withClient } from '@looptide/backing/database/set-up'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../src/postgres.ts'
import { writeTypes } from '../src/schema/write-types.ts'

const TABLES = `
  create table public.users (id uuid primary key);
  create table public.likes (
    user_id uuid not null,
    video_id uuid not null references users,
    channel_id text not null,
    kind text not null default 'thumb',
    notes jsonb not null,
    weight double precision,
    is_heavy boolean generated always as (weight > 1) stored
  )`

const HEAD = `import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { Selectable } from 'kysely'

export type Kind = 'thumb' | 'heart'
`

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
  await withClient(database.adminUrl, (client) => client.query(TABLES))
})
afterAll(() => database.drop())

const written = (source: string): Promise<string> =>
  withClient(database.adminUrl, (client) => writeTypes(client, 'public', source))

it('writes the tables of a database', async () => {
  expect(await written(`${HEAD}\nexport interface Database extends EventTables {\n}\n`)).toBe(
    `import type { EventTables } from '@looptide/service-kit/db/event-tables'
import type { Generated, GeneratedAlways, JSONColumnType, Selectable } from 'kysely'

export type Kind = 'thumb' | 'heart'

interface LikesTable {
  userId: string
  videoId: string
  channelId: string
  kind: Generated<string>
  notes: JSONColumnType<object>
  weight: number | null
  isHeavy: GeneratedAlways<boolean | null>
}

interface UsersTable {
  id: string
}

export interface Database extends EventTables {
  likes: LikesTable
  users: UsersTable
}

/** Columns of users, and ids that no foreign key checks: \`tables.ts\` says what they refer to. */
export interface NotedColumns {
  likes: 'userId' | 'channelId'
  users: never
}
`,
  )
})

it('keeps comments and narrower types, and replaces what differs from the database', async () => {
  const source = `${HEAD}
interface GoneTable {
  id: string
}

/** What users like. */
export interface LikesTable {
  userId: string
  /** How much. */
  weight: string
  kind: Generated<Kind>
  notes: JSONColumnType<{ text: string; at: number }>
  isHeavy: GeneratedAlways<boolean>
  gone: Kind
}

export interface Database extends EventTables {
  gone: GoneTable
}
`
  const text = await written(source)
  expect(text).toContain(`/** What users like. */
export interface LikesTable {
  userId: string
  videoId: string
  channelId: string
  kind: Generated<Kind>
  notes: JSONColumnType<{ text: string; at: number }>
  /** How much. */
  weight: number | null
  isHeavy: GeneratedAlways<boolean>
}
`)
  expect(text).not.toMatch(/gone/i)
  expect(await written(text)).toBe(text)
})

it('keeps a union over several lines, and a default that an insert may not rely on', async () => {
  const kind = `  kind:\n    | 'thumb'\n    | 'heart'\n  notes`
  const source = `${HEAD}
interface LikesTable {
${kind}: JSONColumnType<object>
}

export interface Database extends EventTables {
}
`
  expect(await written(source)).toContain(kind)
})
