import { randomUUID } from 'node:crypto'
import type { EventData } from '@looptide/contracts/events'
import { storeEvent } from '@looptide/testkit/event-keys'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

type Resolved = EventData<'metadata.videos.resolved.v1'>['videos'][number]

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

const youtubeIds = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`.padEnd(11, '_'))

/** Imports videos, the first with these values. */
async function imported(
  ids: readonly string[],
  given: { title?: string; artistName?: string } = {},
): Promise<void> {
  const rows = ids.map((id, index) => ({ url: `https://youtu.be/${id}`, ...(index === 0 ? given : {}) }))
  const { body } = await catalogue.call('POST', '/api/videos/import', {
    as: catalogue.admin,
    body: { rows, dryRun: false },
  })
  expect(body.added).toBe(ids.length)
}

const resolved = (youtubeId: string, changes: Partial<Resolved['video']> = {}): Resolved => ({
  eventId: randomUUID(),
  video: {
    ...{ youtubeId, title: `Title of ${youtubeId}`, description: 'Words', thumbnailUrl: null },
    ...{ artistName: 'Channel', durationMs: 213_000, embeddable: true, regionBlocked: [], ...changes },
  },
})

const rowsOf = (ids: readonly string[]) =>
  catalogue.db
    .selectFrom('videos')
    .select(['youtubeId', 'title', 'artistName', 'durationMs', 'metadataStatus'])
    .where('youtubeId', 'in', ids)
    .orderBy('id')
    .execute()
const updates = () => catalogue.events('catalogue.videos.updated.v1')
const listed = async () => (await catalogue.call('GET', '/api/videos?limit=1')).body.total

it('writes the metadata of a batch, counts its videos, and publishes them as one event', async () => {
  const ids = youtubeIds('batch', 30)
  await imported(ids, { title: 'Given', artistName: 'Giver' })
  expect(await listed()).toBe(1)
  const videos = ids.map((id) => resolved(id))
  videos.push(resolved('notthere___'))
  await catalogue.publishEvent('metadata.videos.resolved.v1', { videos })
  const [first, ...others] = await rowsOf(ids)
  expect(first).toMatchObject({ title: 'Given', artistName: 'Giver', durationMs: 213_000 })
  expect(others).toHaveLength(29)
  for (const { youtubeId, ...row } of others) {
    expect(row).toEqual({
      ...{ title: `Title of ${youtubeId}`, artistName: 'Channel' },
      ...{ durationMs: 213_000, metadataStatus: 'resolved' },
    })
  }
  expect(await listed()).toBe(30)
  const { artists } = (await catalogue.call('GET', '/api/search?q=Channel')).body
  expect(artists).toEqual([{ name: 'Channel', videoCount: 29 }])
  expect((await updates()).map(({ data }) => data.videos.length)).toEqual([30])
})

it('applies a video once that comes alone and in several batches, after a worker was killed', async () => {
  const ids = youtubeIds('again', 3)
  await imported(ids)
  const [first, second, third] = ids.map((id) => resolved(id))
  const late = (video: Resolved | undefined) => [{ ...video!, video: { ...video!.video, title: 'Late' } }]
  await catalogue.publishEvent('metadata.video.resolved.v1', first!.video, first!.eventId)
  await catalogue.publishEvent('metadata.videos.resolved.v1', { videos: [...late(first), second!] })
  await catalogue.publishEvent('metadata.videos.resolved.v1', { videos: [...late(second), third!] })
  await catalogue.publishEvent('metadata.video.resolved.v1', late(third)[0]!.video, third!.eventId)
  expect((await rowsOf(ids)).map(({ title }) => title)).toEqual(ids.map((id) => `Title of ${id}`))
})

it('applies the others of a batch at once when one of them cannot be written', async () => {
  const ids = youtubeIds('poison', 3)
  await imported(ids)
  const thumbnailUrls = [null, 'https://a.example/\u0000', null]
  const videos = ids.map((id, index) => resolved(id, { thumbnailUrl: thumbnailUrls[index] ?? null }))
  await storeEvent(catalogue.nats, {
    id: randomUUID(),
    type: 'metadata.videos.resolved.v1',
    occurredAt: new Date().toISOString(),
    actorId: null,
    correlationId: null,
    aggregateId: 'test',
    aggregateVersion: 1,
    data: { videos },
  })
  await until('the others have their metadata', async () => {
    const rows = await rowsOf(ids)
    return rows.map(({ metadataStatus }) => metadataStatus).join() === 'resolved,pending,resolved'
  })
})
