import { startRedis } from '@looptide/testkit/redis'
import { TcpProxy } from '@looptide/testkit/tcp-proxy'
import { expect, it } from 'vitest'
import { ids, startWorkerHarness } from './_harness.ts'

it('looks each video up once when collecting a batch takes longer than the lifetime of a lock', async () => {
  const redis = await startRedis()
  const proxy = await TcpProxy.to(redis.url)
  const harness = await startWorkerHarness({
    REDIS_URL: proxy.via(redis.url),
    YOUTUBE_API_KEY: 'key',
    LOOKUP_LOCK_MS: '2000',
  })
  try {
    // 100 ms per command: collecting 50 jobs takes 5 s.
    proxy.slow({ latencyMs: 50 })
    const requested = ids('slow', 50)
    await harness.request(requested)
    await harness.waitForEvents('metadata.video.resolved.v1', 50)
    expect(harness.youtube.lookUps).toEqual(new Map(requested.map((id) => [id, 1])))
    expect(await harness.events('metadata.video.resolved.v1')).toHaveLength(50)
  } finally {
    proxy.restore()
    await harness.close()
    await proxy.stop()
    await redis.stop()
  }
})
