import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDemo } from '../src/demo/demo-channels.ts'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_util.ts'

let station: TestScheduler
beforeAll(async () => {
  station = await TestScheduler.start()
})
afterAll(() => station.stop())

test('the demo channels go on the air as soon as the catalogue is heard', async () => {
  await seedDemo(station.db, ['a.mp4', 'b.mp4'])
  await station.settle()
  expect((await station.now('default')).programmes).toEqual([])
  await station.addVideos([video(), video(), video()])
  const now = await station.now('default')
  expect(now.status).toBe('live')
  expect(now.programmes.length).toBeGreaterThan(35)
  const guide = await station.request('GET', '/api/channels/default/guide?hours=26')
  expect(guide.body.programmes.at(-1).endsAtMs).toBeGreaterThanOrEqual(station.clock.nowMs + 26 * HOUR_MS)
  await station.advance(5 * MINUTE_MS, MINUTE_MS)
  const log = await station.request('GET', '/api/channels/default/air-log')
  expect(log.body.items).toHaveLength(2)
})
