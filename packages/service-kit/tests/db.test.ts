import { freshDatabase } from '@looptide/testkit/postgres'
import { TcpProxy } from '@looptide/testkit/tcp-proxy'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createDb, PROGRAM_TIMEOUTS } from '../src/db/db.ts'
import { logger, notesDatabase } from './fixtures.ts'

it('sessions of services turn JIT compilation off, which Postgres turns on by default', async () => {
  const { db, drop } = await notesDatabase()
  const { rows } = await sql`
    select current_setting('jit') as session, boot_val as initial from pg_settings where name = 'jit'`.execute(
    db,
  )
  expect(rows).toEqual([{ session: 'off', initial: 'on' }])
  await drop()
})

it('programs wait for a connection to a busy server longer than services', async () => {
  const database = await freshDatabase()
  const proxy = await TcpProxy.to(database.urlFor('chat'))
  proxy.slow({ latencyMs: 1800 })
  const url = proxy.via(database.urlFor('chat'))
  const service = createDb(url, logger)
  const program = createDb(url, logger, 1, PROGRAM_TIMEOUTS)
  const [refused, accepted] = await Promise.allSettled(
    [service, program].map((db) => sql`select 1 as one`.execute(db)),
  )
  expect(refused).toMatchObject({ reason: { message: expect.stringContaining('timeout') } })
  expect(accepted).toMatchObject({ value: { rows: [{ one: 1 }] } })
  await Promise.all([service.destroy(), program.destroy()])
  await proxy.stop()
  await database.drop()
})
