import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPacificMidnight } from '../src/queue/pacific-day.ts'
import { type Bench, ids, startBench } from './_worker.ts'

let bench: Bench
let clockMs = Date.parse('2026-11-20T20:00:00Z')
beforeAll(async () => {
  bench = await startBench({ YOUTUBE_API_KEY: 'key', YOUTUBE_DAILY_QUOTA: '2' }, () => clockMs)
})
afterAll(() => bench.close())

const status = async () => (await bench.get('/api/metadata/status', bench.admin)).body

it('answers 200 videos with four calls, though the quota runs out after two', async () => {
  const wanted = ids('bulk', 200)
  const [removed, hidden, unembeddable] = [wanted.slice(0, 10), wanted.slice(60, 70), wanted.slice(190)]
  for (const id of removed) bench.youtube.set(id, { state: 'removed' })
  for (const id of hidden) bench.youtube.set(id, { privacyStatus: 'private' })
  for (const id of unembeddable) bench.youtube.set(id, { state: 'unembeddable' })

  await bench.request(wanted)
  await until('the worker rests', async () => {
    const { pausedUntilMs, fetching } = await status()
    return pausedUntilMs !== null && fetching === 0
  })
  expect(await status()).toMatchObject({ queued: 100, quotaUsed: 2, quotaLimit: 2 })
  expect(bench.progress.filter(({ reason }) => reason === 'the daily quota is used up')).not.toEqual([])

  clockMs = nextPacificMidnight(clockMs)
  await until('nothing waits', async () => {
    const { queued, fetching } = await status()
    return queued + fetching === 0
  })
  expect(bench.youtube.calls.videosList).toBe(4)
  const unavailable = await bench.events('metadata.video.unavailable.v1')
  expect(new Map(unavailable.map(({ data }) => [data.youtubeId, data.reason]))).toEqual(
    new Map([
      ...removed.map((id) => [id, 'removed'] as const),
      ...hidden.map((id) => [id, 'private'] as const),
      ...unembeddable.map((id) => [id, 'not_embeddable'] as const),
    ]),
  )
  // Of what may not be embedded YouTube tells the facts all the same.
  const resolved = await bench.events('metadata.video.resolved.v1')
  const gone = new Set([...removed, ...hidden])
  expect(new Set(resolved.map(({ data }) => data.youtubeId))).toEqual(
    new Set(wanted.filter((id) => !gone.has(id))),
  )
})
