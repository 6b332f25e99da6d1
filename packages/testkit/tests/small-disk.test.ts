import { withClient } from '@looptide/backing/database/set-up'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Backing } from '../src/backing.ts'
import { startBarePostgres } from '../src/postgres.ts'
import { SmallDisk } from '../src/small-disk.ts'

let disk: SmallDisk
let postgres: Backing
beforeAll(async () => {
  disk = await SmallDisk.make(160)
  postgres = await startBarePostgres({ disk })
})
afterAll(async () => {
  await postgres.stop()
  await disk.remove()
})

const query = (sql: string) => withClient(postgres.url, (client) => client.query(sql))
const growBy = (megabytes: number) =>
  query(
    `insert into things select repeat(md5(random()::text), 32) from generate_series(1, ${megabytes * 1000})`,
  )

it('refuses writes that do not fit, keeps existing data, and accepts writes after space was freed', async () => {
  await query('create unlogged table things (text text)')
  await growBy(1)
  disk.fill()
  await expect(growBy(2)).rejects.toMatchObject({ code: '53100' })
  expect((await query('select count(*)::int as count from things')).rows).toEqual([{ count: 1000 }])
  disk.free()
  await growBy(2)
})

it('a frozen server does not respond, and continues when it is thawed', async () => {
  postgres.freeze()
  const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 300 })
  await expect(client.connect()).rejects.toThrow('timeout')
  postgres.thaw()
  expect((await query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
