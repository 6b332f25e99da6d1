import { startPostgres, testPostgresVariable } from '@looptide/testkit/postgres'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HOUR_MS, MINUTE_MS, TestScheduler, video } from './_harness.ts'

let postgres: Awaited<ReturnType<typeof startPostgres>>
let station: TestScheduler
beforeAll(async () => {
  postgres = await startPostgres()
  vi.stubEnv(testPostgresVariable, postgres.url)
  station = await TestScheduler.start()
  vi.unstubAllEnvs()
})
afterAll(async () => {
  await station.stop()
  await postgres.stop()
})

test('during a Postgres outage viewers can read for hours and edits are refused; afterwards the log is complete', async () => {
  const id = await station.channelPlaying('Outlasting', [video(), video(), video()])
  const before = await station.now(id)
  await postgres.kill()
  station.clock.advance(2 * HOUR_MS + MINUTE_MS)
  const during = await station.now(id)
  expect(during.programmes.length).toBeGreaterThanOrEqual(40)
  expect(during.programmes[0]!.startsAtMs).toBeLessThanOrEqual(station.clock.nowMs)
  const guide = await station.request('GET', `/api/channels/${id}/guide?hours=12`, undefined, null)
  expect(guide.body.programmes.length).toBeGreaterThan(200)
  const { items: channels } = await station.must('GET', '/api/channels', undefined, null)
  expect(channels.map((channel: { id: string }) => channel.id)).toContain(id)
  const edit = await station.request('POST', `/api/channels/${id}/stream`, { action: 'start' })
  expect(edit).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
  const unknown = await station.request('GET', '/api/channels/unknown/now', undefined, null)
  expect(unknown.status).toBe(503)

  await postgres.restart()
  const log = await until('the air log is caught up', async () => {
    await station.first.runOnce()
    const { body } = await station.request('GET', `/api/channels/${id}/air-log`)
    return body.items?.[0]?.startedAtMs === during.programmes[0]!.startsAtMs && body.items
  })
  expect(log.length).toBe(1 + during.programmes[0]!.seq - before.programmes[0]!.seq)
  expect((await station.now(id)).programmes[0]).toEqual(during.programmes[0])
})

test('the overview of all channels is answered again once Postgres is back', async () => {
  await station.channelPlaying('Overlooked', [video()])
  const status = async () => (await station.request('GET', '/api/channels/overview')).status
  await postgres.kill()
  station.clock.advance(MINUTE_MS)
  expect(await status()).toBe(503)
  await postgres.restart()
  await until('the overview is answered', async () => (await status()) === 200)
})
