import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPacificMidnight } from '../src/queue/pacific-day.ts'
import { ids, startWorkerHarness, type WorkerHarness } from './_harness.ts'

let harness: WorkerHarness
let clockMs = Date.parse('2026-11-20T20:00:00Z')
beforeAll(async () => {
  harness = await startWorkerHarness({ YOUTUBE_API_KEY: 'key', YOUTUBE_DAILY_QUOTA: '2' }, () => clockMs)
})
afterAll(() => harness.close())

const status = async () => (await harness.get('/api/metadata/status', harness.admin)).body

it('looks up 200 videos with four calls when the quota runs out after two', async () => {
  const youtubeIds = ids('bulk', 200)
  const [removed, hidden, unembeddable] = [
    youtubeIds.slice(0, 10),
    youtubeIds.slice(60, 70),
    youtubeIds.slice(190),
  ]
  for (const id of removed) harness.youtube.set(id, { state: 'removed' })
  for (const id of hidden) harness.youtube.set(id, { privacyStatus: 'private' })
  for (const id of unembeddable) harness.youtube.set(id, { state: 'unembeddable' })

  await harness.request(youtubeIds)
  await until('the worker is paused', async () => {
    const { pausedUntilMs, fetching } = await status()
    return pausedUntilMs !== null && fetching === 0
  })
  expect(await status()).toMatchObject({ queued: 100, quotaUsed: 2, quotaLimit: 2 })
  expect(harness.progress.filter(({ reason }) => reason === 'the daily quota is used up')).not.toEqual([])

  clockMs = nextPacificMidnight(clockMs)
  await until('no job is queued or running', async () => {
    const { queued, fetching } = await status()
    return queued + fetching === 0
  })
  expect(harness.youtube.calls.videosList).toBe(4)
  const unavailable = await harness.events('metadata.video.unavailable.v1')
  expect(new Map(unavailable.map(({ data }) => [data.youtubeId, data.reason]))).toEqual(
    new Map([
      ...removed.map((id) => [id, 'removed'] as const),
      ...hidden.map((id) => [id, 'private'] as const),
      ...unembeddable.map((id) => [id, 'not_embeddable'] as const),
    ]),
  )
  // YouTube returns metadata of videos that are not embeddable.
  const resolved = await harness.events('metadata.video.resolved.v1')
  const missing = new Set([...removed, ...hidden])
  expect(new Set(resolved.map(({ data }) => data.youtubeId))).toEqual(
    new Set(youtubeIds.filter((id) => !missing.has(id))),
  )
})
