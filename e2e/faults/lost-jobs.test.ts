import { randomUUID } from 'node:crypto'
import type { AddVideosResult, Video } from '@looptide/contracts/http/videos'
import type { Station } from '@looptide/runner/station'
import { type FakeYoutube, startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { startTestStation, testAdmin } from '@looptide/testkit/station'
import { until } from '@looptide/testkit/until'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../support/people.ts'
import { getJson } from '../support/records.ts'

/** Issue "metadata jobs lost with Redis": a video without a job gets one within this time. */
const RECREATED_MS = 60_000
/** Longer than the videos of the test wait for YouTube, in failed requests. */
const OUTAGE = 100_000

let youtube: FakeYoutube
let station: Station

beforeAll(async () => {
  youtube = await startFakeYoutube()
  station = await startTestStation({ fakeYoutube: youtube.url })
}, 180_000)

afterAll(async () => {
  await station?.stop()
  await youtube?.stop()
})

test('look-ups that were lost with Redis are there again within a minute', async () => {
  const token = await signIn(station.url, testAdmin.email, testAdmin.password)
  const authorization = `Bearer ${token}`
  youtube.failNext(OUTAGE, 503)
  const ids = Array.from({ length: 20 }, () => randomUUID().replaceAll('-', '').slice(0, 11))
  const response = await fetch(`${station.url}/api/videos`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ urls: ids.map((id) => `https://youtu.be/${id}`) }),
  })
  const { lines } = (await response.json()) as AddVideosResult
  const jobs = async () => {
    const answer = await fetch(`${station.url}/api/metadata/jobs?state=queued&limit=100`, {
      headers: { authorization },
    })
    const { items } = (await answer.json()) as { items: { youtubeId: string }[] }
    return items.filter(({ youtubeId }) => ids.includes(youtubeId)).length
  }
  await until('every video has its job', async () => (await jobs()) === ids.length)

  const redis = new Redis(station.redisUrl)
  await redis.flushall()
  redis.disconnect()
  expect(await jobs()).toBeLessThan(ids.length)

  await until('every video has its job again', async () => (await jobs()) === ids.length, {
    timeoutMs: RECREATED_MS,
  })
  for (const { video } of lines) {
    const { metadataStatus } = await getJson<Video>(station.url, `/api/videos/${video?.id}`)
    expect(metadataStatus).toBe('pending')
  }
})
