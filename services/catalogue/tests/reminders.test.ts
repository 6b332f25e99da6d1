import { newId } from '@looptide/service-kit/db/ids'
import { MAX_EVENT_BYTES } from '@looptide/service-kit/events/outbox'
import { plannedDb } from '@looptide/testkit/query-plans'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../src/db/schema.ts'
import { deferRequests, isImporting, takeDueReminders } from '../src/features/metadata/reminder-repository.ts'
import { sendDueReminders } from '../src/features/metadata/reminder-task.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

/** Adds YouTube videos as the admin, and returns their ids. */
async function add(youtubeIds: readonly string[]): Promise<string[]> {
  const urls = youtubeIds.map((id) => `https://youtu.be/${id}`)
  const { body } = await catalogue.call('POST', '/api/videos', { as: catalogue.admin, body: { urls } })
  return body.lines.map((line: { video: { id: string } }) => line.video.id)
}

/** The YouTube ids of all sent reminders. */
async function reminded(): Promise<string[]> {
  const events = await catalogue.events('catalogue.metadata.requested.v1')
  return events.filter(({ data }) => data.missingOnly).flatMap(({ data }) => data.youtubeIds)
}

/** The sent reminders of a premiere or live stream. */
async function remindersOfBroadcast(youtubeId: string) {
  const events = await catalogue.events('catalogue.metadata.requested.v1')
  return events.filter(({ data }) => data.missingOnly === false && data.youtubeIds.includes(youtubeId))
}

/** Moves all due times back, as if `seconds` had passed. */
const letTimePass = (seconds: number) =>
  sql`update metadata_reminders set due_at = due_at - make_interval(secs => ${seconds})`.execute(catalogue.db)

const resolvedAs = (youtubeId: string, title: string) => ({
  youtubeId,
  title,
  description: null,
  thumbnailUrl: null,
  artistName: null,
  durationMs: 60_000,
  embeddable: true,
  regionBlocked: [],
})

const resolve = (youtubeId: string) =>
  catalogue.publishEvent('metadata.video.resolved.v1', resolvedAs(youtubeId, 'Resolved'))

/** The time of the database, in seconds. */
async function databaseTime(): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from clock_timestamp())::float8 as seconds`.execute(catalogue.db)
  return rows[0]!.seconds
}

/** Does the work that sets the only reminder, and checks that it is due `seconds` later. */
async function setsReminderIn(seconds: number, work: () => Promise<unknown>): Promise<void> {
  const earliest = (await databaseTime()) + seconds
  await work()
  const latest = (await databaseTime()) + seconds
  const { rows } = await sql<{ dueAt: number }>`
    select extract(epoch from due_at)::float8 as due_at from metadata_reminders`.execute(catalogue.db)
  expect(rows).toEqual([{ dueAt: expect.toSatisfy((dueAt) => dueAt >= earliest && dueAt <= latest) }])
}

it('requests missing metadata again after 40 s, then at growing intervals', async () => {
  const send = () => sendDueReminders(catalogue.db)
  await setsReminderIn(40, () => add(['remind00001']))
  for (const [count, nextS] of [80, 160, 320, 600, 600].entries()) {
    const sent = Array(count).fill('remind00001')
    // A minute is longer than the slowest machine needs for one sending.
    await sql`update metadata_reminders set due_at = now() + interval '1 min'`.execute(catalogue.db)
    await send()
    expect(await reminded()).toEqual(sent)
    await letTimePass(60)
    await setsReminderIn(nextS, send)
    expect(await reminded()).toEqual([...sent, 'remind00001'])
  }
})

it('sends no reminder for a video whose metadata is known', async () => {
  await add(['remind00002'])
  await resolve('remind00001')
  await resolve('remind00002')
  await letTimePass(3600)
  const before = (await reminded()).length
  await sendDueReminders(catalogue.db)
  expect((await reminded()).length).toBe(before)
})

it('sends each reminder once when several replicas send', async () => {
  const ids = Array.from({ length: 60 }, (_, n) => `many${String(n).padStart(7, '0')}`)
  await add(ids)
  await letTimePass(41)
  await Promise.all(Array.from({ length: 4 }, () => sendDueReminders(catalogue.db)))
  const sent = (await reminded()).filter((id) => id.startsWith('many'))
  expect(sent.toSorted()).toEqual(ids)
})

it('requests the metadata of a premiere again at its start, until it is a video', async () => {
  await add(['premiere001'])
  const read = async () => {
    const { body } = await catalogue.call('GET', '/api/videos?all=true&q=premiere', { as: catalogue.admin })
    return body.items[0]
  }
  const unavailable = (lookUpAgainAt: Date) =>
    catalogue.publishEvent('metadata.video.unavailable.v1', {
      youtubeId: 'premiere001',
      reason: 'upcoming',
      lookUpAgainAt: lookUpAgainAt.toISOString(),
    })
  const requests = () => remindersOfBroadcast('premiere001')
  await catalogue.publishEvent('metadata.video.resolved.v1', {
    ...resolvedAs('premiere001', 'A premiere'),
    durationMs: null,
    embeddable: false,
  })
  await unavailable(new Date(Date.now() + 3_600_000))
  expect(await read()).toMatchObject({ metadataStatus: 'unavailable', unavailableReason: 'upcoming' })
  await letTimePass(3500)
  await sendDueReminders(catalogue.db)
  expect(await requests()).toHaveLength(0)
  await letTimePass(101)
  await sendDueReminders(catalogue.db)
  expect(await requests()).toHaveLength(1)
  // It starts late: the same reason, with another time.
  await unavailable(new Date(Date.now() + 1_800_000))
  await letTimePass(1801)
  await sendDueReminders(catalogue.db)
  expect(await requests()).toHaveLength(2)
  await catalogue.publishEvent('metadata.video.resolved.v1', resolvedAs('premiere001', 'A premiere'))
  expect(await read()).toMatchObject({
    metadataStatus: 'resolved',
    unavailableReason: null,
    duration: '1:00',
  })
  await letTimePass(86_400)
  await sendDueReminders(catalogue.db)
  expect(await requests()).toHaveLength(2)
})

it('requests the metadata of a restored premiere again', async () => {
  const ids = await add(['premiere002'])
  await catalogue.publishEvent('metadata.video.unavailable.v1', {
    ...{ youtubeId: 'premiere002', reason: 'upcoming' as const },
    lookUpAgainAt: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const as = catalogue.admin
  await catalogue.call('DELETE', '/api/videos', { as, body: { ids } })
  await catalogue.call('POST', '/api/videos/restore', { as, body: { ids } })
  await letTimePass(41)
  await sendDueReminders(catalogue.db)
  expect(await remindersOfBroadcast('premiere002')).toHaveLength(1)
})

it('requests all missing metadata when the queue has lost its jobs', async () => {
  await add(['remind00003'])
  await catalogue.publishEvent('metadata.queue.emptied.v1', {})
  await sendDueReminders(catalogue.db)
  expect(await reminded()).toContain('remind00003')
})

it('finds reminders and an import by indexes', async () => {
  const planned = plannedDb<Database>(catalogue.config.databaseUrl, { isSmall: true })
  const due = await planned.plansOf(() => takeDueReminders(planned.db, 500))
  const importing = await planned.plansOf(() => isImporting(planned.db))
  const deferred = await planned.plansOf(() => deferRequests(planned.db, [newId()]))
  await planned.stop()
  expect(due).toContain('metadata_reminders_due')
  for (const index of ['videos_accepted_newest', 'metadata_reminders_due']) expect(importing).toContain(index)
  expect(deferred).toContain('metadata_reminders_pkey')
})

const idsWith = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => prefix + String(n).padStart(11 - prefix.length, '0'))

/** The requests of these videos that are no reminders: how often each was sent. */
async function requestsOf(youtubeIds: readonly string[]): Promise<number[]> {
  const events = await catalogue.events('catalogue.metadata.requested.v1')
  const sent = events.filter(({ data }) => data.missingOnly !== true).flatMap(({ data }) => data.youtubeIds)
  return youtubeIds.map((id) => sent.filter((other) => other === id).length)
}

/** Makes the 500 videos of the test of imports as new as those of an import that goes on, or older. */
const addedJustNow = (isNew: boolean) =>
  sql`update videos set created_at = now() + ${isNew ? 1 : -1} * interval '1 hour' where youtube_id like 'first%'`.execute(
    catalogue.db,
  )

it('requests the metadata of an import when it has ended, except that of its first videos', async () => {
  const first = idsWith('first', 500)
  await add(first)
  expect(await requestsOf(first)).toEqual(first.map(() => 1))
  await addedJustNow(true)
  const later = idsWith('later', 21)
  await add(later)
  await add(['alone000001'])
  await letTimePass(60)
  await sendDueReminders(catalogue.db)
  expect(await requestsOf(['alone000001', ...later])).toEqual([1, ...later.map(() => 0)])
  expect(await reminded()).not.toContain('first000000')
  await addedJustNow(false)
  await sendDueReminders(catalogue.db)
  await sendDueReminders(catalogue.db)
  expect(await requestsOf(later)).toEqual(later.map(() => 1))
  expect(await reminded()).not.toContain('later000000')
  await letTimePass(41)
  await sendDueReminders(catalogue.db)
  expect(await reminded()).toEqual(expect.arrayContaining(later))
})

it('does not delay reminders for an import by more than five minutes', async () => {
  const overdueBy = (seconds: number) =>
    sql`update metadata_reminders set due_at = now() - make_interval(secs => ${seconds})`.execute(
      catalogue.db,
    )
  await addedJustNow(true)
  const before = (await reminded()).length
  // A minute is longer than the slowest machine needs for one sending.
  await overdueBy(240)
  await sendDueReminders(catalogue.db)
  expect(await reminded()).toHaveLength(before)
  await overdueBy(301)
  await sendDueReminders(catalogue.db)
  expect((await reminded()).length).toBeGreaterThan(before)
  await addedJustNow(false)
})

it('requests the duration of a media file, and stores the result only for the current URL', async () => {
  const url = 'https://media.example.com/probed.mp4'
  const added = await catalogue.call('POST', '/api/videos', { as: catalogue.admin, body: { urls: [url] } })
  const { id } = added.body.lines[0].video
  await sendDueReminders(catalogue.db)
  const requests = await catalogue.events('catalogue.probe.requested.v1')
  expect(requests.flatMap(({ data }) => data.media)).toEqual([{ videoId: id, url }])
  const read = async () => (await catalogue.call('GET', `/api/videos/${id}`)).body
  await catalogue.publishEvent('metadata.media.probed.v1', {
    videoId: id,
    url: `${url}?other`,
    durationMs: 1000,
  })
  expect(await read()).toMatchObject({ durationAssumed: true })
  await catalogue.publishEvent('metadata.media.probed.v1', { videoId: id, url, durationMs: 61_000 })
  expect(await read()).toMatchObject({ duration: '1:01', durationAssumed: false })
  await letTimePass(3600)
  await sendDueReminders(catalogue.db)
  expect(await catalogue.events('catalogue.probe.requested.v1')).toHaveLength(requests.length)
})

it('requests the durations of files with long URLs in several events, and does not stop other requests', async () => {
  // Each character is stored as nine: URLs of 18 KB.
  const urls = Array.from(
    { length: 125 },
    (_, n) => `https://media.example.com/${n}/${'歌'.repeat(2000)}.mp4`,
  )
  const added = await catalogue.call('POST', '/api/videos', { as: catalogue.admin, body: { urls } })
  expect(added.body.added).toBe(125)
  await add(['remind00004'])
  await letTimePass(3600)
  await sendDueReminders(catalogue.db)
  const requests = (await catalogue.events('catalogue.probe.requested.v1')).map(({ data }) => data.media)
  const requested = requests.flat().map(({ url }) => decodeURI(url))
  expect(requested.filter((url) => urls.includes(url)).toSorted()).toEqual(urls.toSorted())
  const bytes = requests.map((media) => Buffer.byteLength(JSON.stringify({ media })))
  expect(Math.max(...bytes)).toBeLessThanOrEqual(MAX_EVENT_BYTES)
  expect(await reminded()).toContain('remind00004')
})
