import { until } from '@looptide/testkit/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningWorker, startMetadataWorker } from '../src/app.ts'
import { nextPacificMidnight } from '../src/queue/pacific-day.ts'
import { type Bench, ids, startBench } from './_worker.ts'

const QUOTA = 3

let bench: Bench
let second: RunningWorker
let clockMs = Date.parse('2026-11-20T20:00:00Z')
const now = (): number => clockMs

beforeAll(async () => {
  bench = await startBench({ YOUTUBE_API_KEY: 'key', YOUTUBE_DAILY_QUOTA: String(QUOTA) }, now)
  second = await startMetadataWorker(bench.config, now)
})
afterAll(async () => {
  await second.close()
  await bench.close()
})

/** Resolves when the quota of the day is used up, or nothing is left to do. */
const restOfTheDay = () =>
  until('both workers rest', async () => {
    const { body } = await bench.get('/api/metadata/status', bench.admin)
    const { pausedUntilMs, fetching, queued } = body
    return fetching === 0 && (pausedUntilMs !== null || queued === 0) && { queued: Number(queued) }
  })

it('two workers share one quota, and answer everything once between them', async () => {
  const wanted = ids('both', 200)
  await bench.request(wanted)
  await until('the first question is asked', () => bench.youtube.calls.videosList > 0)
  for (let day = 1; ; day += 1) {
    const { queued } = await restOfTheDay()
    expect(bench.youtube.calls.videosList).toBeLessThanOrEqual(day * QUOTA)
    if (queued === 0) break
    expect(bench.youtube.calls.videosList).toBe(day * QUOTA)
    clockMs = nextPacificMidnight(clockMs)
    const asked = bench.youtube.calls.videosList
    await until('the new day has begun', () => bench.youtube.calls.videosList > asked)
  }
  const resolved = await bench.events('metadata.video.resolved.v1')
  expect(resolved.map(({ aggregateId }) => aggregateId).sort()).toEqual([...wanted].sort())
})
