import { readdir, readFile } from 'node:fs/promises'
import { Parse } from 'typebox/value'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DEMO_VIDEOS, demoVideoId } from '../src/demo/demo-videos.ts'
import { seedLibrary, TestCardIndex } from '../src/demo/seed-library.ts'
import { VideoService } from '../src/features/videos/video-service.ts'
import { type CatalogueHarness, startCatalogue } from './_harness.ts'

let catalogue: CatalogueHarness
beforeAll(async () => {
  catalogue = await startCatalogue()
})
afterAll(() => catalogue.close())

it('seeds the library once, publishes every video, and requests no metadata', async () => {
  const file = new URL('../../../web/public/test-card/index.json', import.meta.url)
  const clips = Parse(TestCardIndex, JSON.parse(await readFile(file, 'utf8')))
  const videos = new VideoService(catalogue.db, { rateLimitFactor: 1 })
  expect(await seedLibrary(videos, clips)).toBe(clips.length + DEMO_VIDEOS.length)
  expect(await seedLibrary(videos, clips)).toBe(0)
  const added = await catalogue.events('catalogue.videos.added.v1')
  expect(added.flatMap((event) => event.data.videos)).toHaveLength(clips.length + DEMO_VIDEOS.length)
  expect(await catalogue.events('catalogue.metadata.requested.v1')).toEqual([])
  const list = await catalogue.call('GET', '/api/videos')
  expect(list.body.total).toBe(DEMO_VIDEOS.length)
  const one = await catalogue.call('GET', `/api/videos/${demoVideoId('dQw4w9WgXcQ')}`)
  expect(one.body).toMatchObject({ artistName: 'Rick Astley', duration: '3:33', durationAssumed: false })
  const all = await catalogue.call('GET', '/api/videos?all=true', { as: catalogue.admin })
  const items: { genre: string; thumbnailUrl: string }[] = all.body.items
  const thumbnails = items.filter(({ genre }) => genre === 'Test Card').map((video) => video.thumbnailUrl)
  expect(thumbnails).toHaveLength(clips.length)
  const pictures = await readdir(new URL('../../../web/public/test-card/', import.meta.url))
  expect(pictures.map((name) => `/test-card/${name}`)).toEqual(expect.arrayContaining(thumbnails))
  // A video that an admin has deleted does not return, even when nothing of it is kept any more.
  await catalogue.db.deleteFrom('videos').where('genre', '=', 'Test Card').execute()
  expect(await seedLibrary(videos, clips)).toBe(0)
})
