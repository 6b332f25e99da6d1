import { startRedis } from '@looptide/testkit/redis'
import { TcpProxy } from '@looptide/testkit/tcp-proxy'
import { expect, it } from 'vitest'
import { ids, startBench } from './_worker.ts'

it('asks about each video once, although a batch takes longer to gather than a lock lasts', async () => {
  const redis = await startRedis()
  const line = await TcpProxy.to(redis.url)
  const bench = await startBench({
    REDIS_URL: line.via(redis.url),
    YOUTUBE_API_KEY: 'key',
    LOOKUP_LOCK_MS: '600',
  })
  try {
    // 30 ms for each question: 50 jobs are gathered in 1.5 s.
    line.slow({ latencyMs: 15 })
    await bench.request(ids('slow', 50))
    await bench.eventually('metadata.video.resolved.v1', 50, 30_000)
    expect(bench.youtube.calls.videosList).toBe(1)
    expect(await bench.events('metadata.video.resolved.v1')).toHaveLength(50)
  } finally {
    line.restore()
    await bench.close()
    await line.stop()
    await redis.stop()
  }
})
