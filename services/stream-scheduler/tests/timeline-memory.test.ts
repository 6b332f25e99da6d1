import { newId } from '@looptide/service-kit/ids'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertChannel } from '../src/features/channels/channel-repository.ts'
import { TimelineMemory } from '../src/timeline/timeline-memory.ts'
import { schedulerDatabase } from './_util.ts'

let database: Awaited<ReturnType<typeof schedulerDatabase>>
beforeAll(async () => {
  database = await schedulerDatabase()
})
afterAll(() => database.drop())

test('whoever waits until memory is settled sees what was being read; nobody waits longer than they want', async () => {
  const memory = new TimelineMemory(database.db, Date.now)
  await database.db.transaction().execute(async (trx) => {
    await sql`lock table channels in access exclusive mode`.execute(trx)
    void memory.refresh()
    await memory.settled(20)
    expect(memory.list()).toEqual([])
    await insertChannel(trx, {
      id: 'night',
      name: 'Night',
      description: null,
      position: 1,
      seed: newId(),
      createdBy: null,
    })
  })
  await memory.settled(10_000)
  expect(memory.list().map(({ facts }) => facts.id)).toEqual(['night'])
})
