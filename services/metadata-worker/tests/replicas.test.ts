import type { RunningService } from '@looptide/service-kit/process/service-process'
import { startProcess } from '@looptide/service-kit/process/start-process'
import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { metadataWorker } from '../src/app.ts'
import { nextPacificMidnight } from '../src/queue/pacific-day.ts'
import { ids, startWorkerHarness, type WorkerHarness } from './_harness.ts'

const QUOTA = 3

let harness: WorkerHarness
let second: RunningService
let clockMs = Date.parse('2026-11-20T20:00:00Z')
const now = (): number => clockMs

beforeAll(async () => {
  harness = await startWorkerHarness({ YOUTUBE_API_KEY: 'key', YOUTUBE_DAILY_QUOTA: String(QUOTA) }, now)
  second = await startProcess(metadataWorker(harness.config, now))
})
afterAll(async () => {
  await second.close()
  await harness.close()
})

/** Resolves when the quota of the day is used up or no job is left. */
const untilPausedOrIdle = () =>
  until(
    'both workers are paused or idle',
    async () => {
      const { body } = await harness.get('/api/metadata/status', harness.admin)
      const { pausedUntilMs, fetching, queued } = body
      return fetching === 0 && (pausedUntilMs !== null || queued === 0) && { queued: Number(queued) }
    },
    { timeoutMs: 30_000 },
  )

it('two workers share one quota, and resolve every video once', async () => {
  const youtubeIds = ids('both', 200)
  await harness.request(youtubeIds)
  await until('the first call is made', () => harness.youtube.calls.videosList > 0)
  for (let day = 1; ; day += 1) {
    const { queued } = await untilPausedOrIdle()
    expect(harness.youtube.calls.videosList).toBeLessThanOrEqual(day * QUOTA)
    if (queued === 0) break
    expect(harness.youtube.calls.videosList).toBe(day * QUOTA)
    clockMs = nextPacificMidnight(clockMs)
    const callsBefore = harness.youtube.calls.videosList
    await until('the workers continue on the next day', () => harness.youtube.calls.videosList > callsBefore)
  }
  const resolved = await harness.events('metadata.video.resolved.v1')
  expect(resolved.map(({ aggregateId }) => aggregateId).sort()).toEqual([...youtubeIds].sort())
})
