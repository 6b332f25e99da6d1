import { withClient } from '@looptide/runner/database/set-up'
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

const ask = (sql: string) => withClient(postgres.url, (client) => client.query(sql))
const growBy = (megabytes: number) =>
  ask(
    `insert into things select repeat(md5(random()::text), 32) from generate_series(1, ${megabytes * 1000})`,
  )

it('refuses what does not fit, keeps what was there, and takes more once there is room', async () => {
  await ask('create unlogged table things (text text)')
  await growBy(1)
  disk.fill()
  await expect(growBy(2)).rejects.toMatchObject({ code: '53100' })
  expect((await ask('select count(*)::int as count from things')).rows).toEqual([{ count: 1000 }])
  disk.free()
  await growBy(2)
})

it('a server that is frozen answers nobody, and goes on when it is thawed', async () => {
  postgres.freeze()
  const impatient = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 300 })
  await expect(impatient.connect()).rejects.toThrow('timeout')
  postgres.thaw()
  expect((await ask('select 1 as one')).rows).toEqual([{ one: 1 }])
})
