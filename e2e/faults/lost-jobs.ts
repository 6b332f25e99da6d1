import { randomUUID } from 'node:crypto'
import type { Video } from '@looptide/contracts/http/videos'
import type { Station } from '@looptide/runner/station/station'
import { testAdmin } from '@looptide/test-station/station'
import { clientOf } from '@looptide/testkit/client'
import { type FakeYoutube, startFakeYoutube } from '@looptide/testkit/fake-youtube/server'
import { until } from '@looptide/testkit/until'
import { Redis } from 'ioredis'
import { test } from 'vitest'
import { signIn } from '../support/people.ts'
import { getJson } from '../support/records.ts'

/** Time limit for recreating a lost job and fetching the metadata, in ms. */
const RECREATED_MS = 60_000
const JOBS = 'looptide:metadata:bull:look-ups:v-*'

/** Jobs that Redis has lost are created again. Replaces the fake YouTube by another one at the same port. */
export function describeLostJobs(running: { station: Station; youtube: FakeYoutube }): void {
  test('videos whose lookup jobs were lost with Redis have their metadata within a minute', async () => {
    const { station } = running
    const token = await signIn(station.url, testAdmin.email, testAdmin.password)
    // The jobs wait in Redis while YouTube fails.
    const port = Number(new URL(running.youtube.url).port)
    await running.youtube.stop()
    const ids = Array.from({ length: 10 }, () => randomUUID().replaceAll('-', '').slice(0, 11))
    const urls = ids.map((id) => `https://youtu.be/${id}`)
    const { lines } = await clientOf(station.url, token).call('POST /api/videos', { body: { urls } })
    const redis = new Redis(station.redisUrl)
    await until('every video has its job', async () => (await redis.keys(JOBS)).length >= ids.length)

    await redis.flushall()
    redis.disconnect()
    running.youtube = await startFakeYoutube({ port })

    const statuses = async () => {
      const videos = lines.map(({ video }) => getJson<Video>(station.url, `/api/videos/${video?.id}`))
      return (await Promise.all(videos)).map(({ metadataStatus }) => metadataStatus)
    }
    const allResolved = async () => (await statuses()).every((status) => status === 'resolved')
    await until('every video has its metadata', allResolved, { timeoutMs: RECREATED_MS })
  })
}
