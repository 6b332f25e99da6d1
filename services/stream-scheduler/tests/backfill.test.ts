import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestScheduler, video } from './_util.ts'

const videos = Array.from({ length: 5 }, () => video())
let catalogue: Server
let station: TestScheduler

/** The catalogue's internal list, two videos a page; away for the first request. */
let requests = 0
beforeAll(async () => {
  catalogue = createServer((request, response) => {
    requests += 1
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const from = Number(searchParams.get('cursor') ?? 0)
    const isOurs = pathname === '/internal/videos' && request.headers['x-internal-token'] !== undefined
    response.statusCode = requests === 1 ? 503 : isOurs ? 200 : 404
    const nextCursor = from + 2 < videos.length ? String(from + 2) : null
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ items: videos.slice(from, from + 2), nextCursor }))
  })
  await new Promise<void>((resolve) => catalogue.listen(0, '127.0.0.1', resolve))
  const catalogueUrl = `http://127.0.0.1:${(catalogue.address() as AddressInfo).port}`
  station = await TestScheduler.start({ config: { catalogueUrl } })
})
afterAll(async () => {
  await station.stop()
  catalogue.close()
})

test('a scheduler that never heard an event reads the catalogue, and an event overrides what was read', async () => {
  const known = () => station.db.selectFrom('videos').select(['id', 'title']).orderBy('createdAt').execute()
  await until('all pages are read', async () => (await known()).length === videos.length)
  const changed = { ...videos[0]!, title: 'From the event' }
  await station.publish(['catalogue.video.updated.v1', changed.id, { video: changed }])
  expect((await known())[0]!.title).toBe('From the event')
})
