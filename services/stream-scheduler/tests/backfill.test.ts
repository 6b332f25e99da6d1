import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { idFromName } from '@looptide/service-kit/db/ids'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDemo } from '../src/demo/demo-channels.ts'
import { TestScheduler, video } from './_harness.ts'

const CLIP = { id: idFromName('demo:clip.mp4') }
const videos = [video(), video(), video(), video(CLIP), video()]
let catalogue: Server
let station: TestScheduler

const { promise: open, resolve: openCatalogue } = Promise.withResolvers<void>()

/** The catalogue's internal list, two videos per page. It answers 503 to the first request and waits for `open` after. */
async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  requests += 1
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  const from = Number(searchParams.get('cursor') ?? 0)
  const isOurs = pathname === '/internal/videos' && request.headers['x-internal-token'] !== undefined
  response.statusCode = requests === 1 ? 503 : isOurs ? 200 : 404
  const nextCursor = from + 2 < videos.length ? String(from + 2) : null
  if (requests > 1) await open
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ items: videos.slice(from, from + 2), nextCursor }))
}
let requests = 0

beforeAll(async () => {
  catalogue = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => catalogue.listen(0, '127.0.0.1', resolve))
  const catalogueUrl = `http://127.0.0.1:${(catalogue.address() as AddressInfo).port}`
  station = await TestScheduler.start({ config: { catalogueUrl } })
})
afterAll(async () => {
  await station.stop()
  catalogue.close()
})

test('a scheduler without events reads the catalogue’s list, and an event overrides it', async () => {
  await seedDemo(station.db, ['clip.mp4'], 'all')
  // The channel had nothing to play. Without an event it is tried again after 15 s.
  await station.first.runOnce()
  openCatalogue()
  const known = () => station.db.selectFrom('videos').select(['id', 'title']).orderBy('createdAt').execute()
  await until('all pages are read', async () => (await known()).length === videos.length)
  await until('the channel is planned', async () => (await station.now('test-card')).programmes.length > 0)
  const changed = { ...videos[0]!, title: 'From the event' }
  await station.publish(['catalogue.video.updated.v1', changed.id, { video: changed }])
  expect((await known())[0]!.title).toBe('From the event')
})
