import { plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { takeDueReminders } from '../src/features/metadata/reminder-repository.ts'
import { sendDueReminders } from '../src/features/metadata/reminder-task.ts'
import { type Station, startCatalogue } from './_station.ts'

let station: Station
beforeAll(async () => {
  station = await startCatalogue()
})
afterAll(() => station.close())

/** Adds YouTube videos as the admin. */
async function add(youtubeIds: readonly string[]): Promise<void> {
  const urls = youtubeIds.map((id) => `https://youtu.be/${id}`)
  await station.call('POST', '/api/videos', { as: station.admin, body: { urls } })
}

/** The YouTube ids of all reminders sent so far. */
async function reminded(): Promise<string[]> {
  const events = await station.events('catalogue.metadata.requested.v1')
  return events.filter(({ data }) => data.missingOnly).flatMap(({ data }) => data.youtubeIds)
}

const letTimePass = (seconds: number) =>
  sql`update metadata_reminders set due_at = due_at - make_interval(secs => ${seconds})`.execute(station.db)

const resolve = (youtubeId: string) =>
  station.tell('metadata.video.resolved.v1', {
    youtubeId,
    title: 'Known now',
    description: null,
    thumbnailUrl: null,
    artistName: null,
    durationMs: 60_000,
    embeddable: true,
    regionBlocked: [],
  })

it('requests a video again 40 s later while it waits for its metadata, then at growing intervals', async () => {
  await add(['remind00001'])
  await letTimePass(39)
  await sendDueReminders(station.db)
  expect(await reminded()).toEqual([])
  await letTimePass(2)
  await sendDueReminders(station.db)
  expect(await reminded()).toEqual(['remind00001'])
  await letTimePass(78)
  await sendDueReminders(station.db)
  expect(await reminded()).toEqual(['remind00001'])
  await letTimePass(3)
  await sendDueReminders(station.db)
  expect(await reminded()).toEqual(['remind00001', 'remind00001'])
})

it('sends no reminder for a video whose metadata is known', async () => {
  await add(['remind00002'])
  await resolve('remind00001')
  await resolve('remind00002')
  await letTimePass(3600)
  const before = (await reminded()).length
  await sendDueReminders(station.db)
  expect((await reminded()).length).toBe(before)
})

it('sends each reminder once, however many replicas send', async () => {
  const ids = Array.from({ length: 60 }, (_, n) => `many${String(n).padStart(7, '0')}`)
  await add(ids)
  await letTimePass(41)
  await Promise.all(Array.from({ length: 4 }, () => sendDueReminders(station.db)))
  const sent = (await reminded()).filter((id) => id.startsWith('many'))
  expect(sent.toSorted()).toEqual(ids)
})

it('requests all that wait at once when the queue has lost its jobs', async () => {
  await add(['remind00003'])
  await station.tell('metadata.queue.emptied.v1', {})
  await sendDueReminders(station.db)
  expect(await reminded()).toContain('remind00003')
})

it('finds due reminders by their index', async () => {
  const planned = plannedDb<Database>(station.config.databaseUrl)
  await sql`set enable_seqscan = off`.execute(planned.db)
  const plan = await planned.plansOf(() => takeDueReminders(planned.db, 500))
  await planned.stop()
  expect(plan).toContain('metadata_reminders_due')
})
