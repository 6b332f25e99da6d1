import { MAX_EVENT_BYTES } from '@looptide/service-kit/outbox'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { VideoService } from '../src/features/videos/video-service.ts'
import { type Station, startCatalogue } from './_station.ts'
import { someVideos } from './_videos.ts'

let station: Station
beforeAll(async () => {
  station = await startCatalogue()
})
afterAll(() => station.close())

const take = (rows: object[], dryRun: boolean, as = station.admin) =>
  station.call('POST', '/api/videos/import', { as, body: { rows, dryRun } })
const verdictsOf = (body: { lines: { result: string }[] }) => body.lines.map(({ result }) => result)

const ROWS = [
  { url: 'https://youtu.be/import00001', artistName: '=Formula', genre: 'Pop', category: 'Classics' },
  { url: 'https://youtu.be/import00002' },
  { url: 'https://youtu.be/import00001' },
  { url: 'https://youtube.com/playlist?list=PL1' },
  { url: '' },
]

it('says what would become of each row, and writes nothing', async () => {
  const { status, body } = await take(ROWS, true)
  expect(status).toBe(200)
  expect(verdictsOf(body)).toEqual(['added', 'added', 'duplicate', 'skipped', 'skipped'])
  expect((await station.call('GET', '/api/videos')).body.total).toBe(0)
})

it('does what the dry run said, each row with its own words', async () => {
  const { body } = await take(ROWS, false)
  expect(verdictsOf(body)).toEqual(['added', 'added', 'duplicate', 'skipped', 'skipped'])
  expect(body.lines[0].video).toMatchObject({ artistName: '=Formula', genre: 'Pop', category: 'Classics' })
  expect(body.lines[1].video).toMatchObject({
    artistName: 'Unknown Artist',
    genre: 'Music',
    category: 'New Video Submissions',
  })
  expect(verdictsOf((await take(ROWS, true)).body)).toEqual([
    'duplicate',
    'duplicate',
    'duplicate',
    'skipped',
    'skipped',
  ])
})

it('writes the whole library as a file, however long it is, and says so in the audit log', async () => {
  await new VideoService(station.db, { rateLimitFactor: 1 }).addKnown(someVideos(1203), {})
  const response = await fetch(`${station.service.url}/api/videos/export`, {
    method: 'POST',
    headers: { ...station.admin.headers, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const lines = (await response.text()).trimEnd().split('\r\n')
  expect(lines[0]).toBe('"url","artist","genre","category","title","duration","views","added"')
  expect(new Set(lines.slice(1).map((line) => line.split(',')[0])).size).toBe(1205)
  expect(lines.find((line) => line.includes('import00001'))).toMatch(
    /^"https:\/\/www\.youtube\.com\/watch\?v=import00001","'=Formula","Pop","Classics","Loading\.\.\.","4:00","0",/,
  )
  const audit = await station.events('catalogue.audit.recorded.v1')
  expect(audit.at(-1)).toMatchObject({ actorId: station.admin.id, data: { action: 'video.export' } })
})

it('is for admins alone', async () => {
  for (const path of ['/api/videos/import', '/api/videos/export']) {
    const body = path.endsWith('import') ? { rows: ROWS, dryRun: true } : {}
    expect((await station.call('POST', path, { body })).status).toBe(401)
    expect((await station.call('POST', path, { as: station.user, body })).status).toBe(403)
  }
})

it('an import of 500 long addresses is audited in part, and what comes after it is published', async () => {
  const urls = Array.from(
    { length: 500 },
    (_, index) => `https://media.example.org/${index}/${'x'.repeat(1900)}.mp4`,
  )
  const { status } = await station.call('POST', '/api/videos', { as: station.admin, body: { urls } })
  expect(status).toBe(200)
  const audit = (await station.events('catalogue.audit.recorded.v1')).at(-1)
  expect(audit).toMatchObject({ actorId: station.admin.id })
  expect(JSON.stringify(audit).length).toBeLessThan(160_000)
  const bulk = (await station.events('catalogue.videos.added.v1')).map((event) => event.data.videos)
  const published = bulk.filter(([first]) => urls.includes(first?.videoUrl ?? ''))
  expect(published.flat().map((video) => video.videoUrl)).toEqual(urls)
  // As few events as their size allows: each has at least half of what one may have.
  const bytes = published.map((videos) => Buffer.byteLength(JSON.stringify({ videos })))
  expect(bytes.every((size) => size <= MAX_EVENT_BYTES)).toBe(true)
  expect(bytes.slice(0, -1).every((size) => size > MAX_EVENT_BYTES / 2)).toBe(true)
  expect(await station.db.selectFrom('outbox').select('seq').execute()).toEqual([])
})
