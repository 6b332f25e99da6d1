import { MAX_EVENT_BYTES } from '@looptide/service-kit/events/outbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { VideoService } from '../src/features/videos/video-service.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'
import { someVideos } from './_videos.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

const importRows = (rows: object[], dryRun: boolean, as = catalogue.admin) =>
  catalogue.call('POST', '/api/videos/import', { as, body: { rows, dryRun } })
const resultsOf = (body: { lines: { result: string }[] }) => body.lines.map(({ result }) => result)

const ROWS = [
  { url: 'https://youtu.be/import00001', artistName: '=Formula', genre: 'Pop', category: 'Classics' },
  { url: 'https://youtu.be/import00002' },
  { url: 'https://youtu.be/import00001' },
  { url: 'https://youtube.com/playlist?list=PL1' },
  { url: '' },
]

it('previews the result of each row, and writes nothing', async () => {
  const { status, body } = await importRows(ROWS, true)
  expect(status).toBe(200)
  expect(resultsOf(body)).toEqual(['added', 'added', 'duplicate', 'skipped', 'skipped'])
  expect((await catalogue.call('GET', '/api/videos')).body.total).toBe(0)
})

it('imports each row with its own artist, genre and category, with the results of the preview', async () => {
  const { body } = await importRows(ROWS, false)
  expect(resultsOf(body)).toEqual(['added', 'added', 'duplicate', 'skipped', 'skipped'])
  expect(body.lines[0].video).toMatchObject({ artistName: '=Formula', genre: 'Pop', category: 'Classics' })
  expect(body.lines[1].video).toMatchObject({
    artistName: 'Unknown Artist',
    genre: 'Music',
    category: 'New Video Submissions',
  })
  expect(resultsOf((await importRows(ROWS, true)).body)).toEqual([
    'duplicate',
    'duplicate',
    'duplicate',
    'skipped',
    'skipped',
  ])
})

it('imports a title, which metadata does not overwrite', async () => {
  const title = ' Cafe\u0301 \u202elive\u202c'
  const { body } = await importRows([{ url: 'https://youtu.be/titled00001', title }], false)
  expect(body.lines[0].video).toMatchObject({ title: 'Café live', metadataStatus: 'pending' })
  await catalogue.publishEvent('metadata.video.resolved.v1', {
    youtubeId: 'titled00001',
    title: 'Another title',
    description: 'One\r\ntwo \u202ethree',
    thumbnailUrl: null,
    artistName: 'Beyonce\u0301\u200b',
    durationMs: 60_000,
    embeddable: true,
    regionBlocked: [],
  })
  const { id } = body.lines[0].video
  expect((await catalogue.call('GET', `/api/videos/${id}`)).body).toMatchObject({
    title: 'Café live',
    description: 'One\ntwo three',
    artistName: 'Beyoncé',
  })
  await catalogue.call('DELETE', '/api/videos', { as: catalogue.admin, body: { ids: [id] } })
})

it('exports the whole library as CSV, and audits the export', async () => {
  await new VideoService(catalogue.db, { rateLimitFactor: 1 }).addResolved(someVideos(1203), {})
  const response = await fetch(`${catalogue.service.url}/api/videos/export`, {
    method: 'POST',
    headers: { ...catalogue.admin.headers, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await response.text()).trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    '"url","artist","genre","category","title","duration","views","added","tags","start","end"',
  )
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(1205)
  expect(lines.find((line) => line.includes('import00001'))).toMatch(
    /^"https:\/\/www\.youtube\.com\/watch\?v=import00001","'=Formula","Pop","Classics","Loading\.\.\.","4:00","0",/,
  )
  const audit = await catalogue.events('catalogue.audit.recorded.v1')
  expect(audit.at(-1)).toMatchObject({ actorId: catalogue.admin.id, data: { action: 'video.export' } })
})

it('only admins import and export', async () => {
  for (const path of ['/api/videos/import', '/api/videos/export']) {
    const body = path.endsWith('import') ? { rows: ROWS, dryRun: true } : {}
    expect((await catalogue.call('POST', path, { body })).status).toBe(401)
    expect((await catalogue.call('POST', path, { as: catalogue.user, body })).status).toBe(403)
  }
})

it('an import of 500 long URLs is published in full and audited in part', async () => {
  const urls = Array.from(
    { length: 500 },
    (_, index) => `https://media.example.org/${index}/${'x'.repeat(1900)}.mp4`,
  )
  const { status } = await catalogue.call('POST', '/api/videos', { as: catalogue.admin, body: { urls } })
  expect(status).toBe(200)
  const audit = (await catalogue.events('catalogue.audit.recorded.v1')).at(-1)
  expect(audit).toMatchObject({ actorId: catalogue.admin.id })
  expect(JSON.stringify(audit).length).toBeLessThan(160_000)
  const bulk = (await catalogue.events('catalogue.videos.added.v1')).map((event) => event.data.videos)
  const published = bulk.filter(([first]) => urls.includes(first?.videoUrl ?? ''))
  expect(published.flat().map((video) => video.videoUrl)).toEqual(urls)
  // Few events: each but the last one has at least half of the maximum size.
  const bytes = published.map((videos) => Buffer.byteLength(JSON.stringify({ videos })))
  expect(bytes.every((size) => size <= MAX_EVENT_BYTES)).toBe(true)
  expect(bytes.slice(0, -1).every((size) => size > MAX_EVENT_BYTES / 2)).toBe(true)
  expect(await catalogue.db.selectFrom('outbox').select('seq').execute()).toEqual([])
})
