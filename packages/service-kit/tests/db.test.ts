import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { notesDatabase } from './fixtures.ts'

it('no session of a service compiles its statements, whatever the server would do', async () => {
  const { db, drop } = await notesDatabase()
  const { rows } = await sql`
    select current_setting('jit') as ours, boot_val as unasked from pg_settings where name = 'jit'`.execute(
    db,
  )
  expect(rows).toEqual([{ ours: 'off', unasked: 'on' }])
  await drop()
})
