import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { type NatsBacking, startNats } from '@looptide/testkit/nats'
import { until } from '@looptide/testkit/until'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { env } from '../src/config.ts'
import { LookupQueue } from '../src/queue/lookup-queue.ts'
import { connectRedis } from '../src/redis.ts'
import { ids, startWorkerHarness, type WorkerHarness } from './_harness.ts'

let harness: WorkerHarness
let natsServer: NatsBacking
const processes: ChildProcess[] = []
/** A worker's process starts within this time also beside other tests. */
const PROCESS_START_MS = 40_000
beforeEach(async () => {
  natsServer = await startNats()
  harness = await startWorkerHarness({
    NATS_URL: natsServer.url,
    YOUTUBE_API_KEY: 'key',
    LOOKUP_BACKOFF_MS: '100',
    LOOKUP_ATTEMPTS: '20',
    LOOKUP_LOCK_MS: '1000',
  })
})
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  await harness.close()
  await natsServer.stop()
})

/** Starts the worker as a separate process, as in production. */
function spawnWorker(): ChildProcess {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main], { env: { ...env, ...harness.env }, stdio: 'ignore' })
  processes.push(child)
  return child
}

/** Waits until every video is resolved; expects one distinct event id for each. */
async function expectResolved(youtubeIds: readonly string[]): Promise<void> {
  await until(
    'every video is resolved',
    async () => {
      const resolved = new Set(
        (await harness.events('metadata.video.resolved.v1')).map(({ aggregateId }) => aggregateId),
      )
      return youtubeIds.every((id) => resolved.has(id))
    },
    { timeoutMs: PROCESS_START_MS },
  )
  const events = await harness.events('metadata.video.resolved.v1')
  const eventIds = new Set(events.map(({ id }) => id))
  expect(eventIds.size).toBe(youtubeIds.length)
}

it('resolves every video under one event id although it is killed three times', async () => {
  await harness.worker.close()
  const youtubeIds = ids('kill', 300)
  await harness.request(youtubeIds)
  for (let kills = 0; kills < 3; kills += 1) {
    const worker = spawnWorker()
    const before = harness.youtube.calls.videosList
    await until('the worker has called YouTube', () => harness.youtube.calls.videosList > before, {
      timeoutMs: PROCESS_START_MS,
    })
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }
  spawnWorker()
  await expectResolved(youtubeIds)
}, 180_000)

it('continues after restarts of Redis and NATS', async () => {
  const first = ids('redis', 120)
  await harness.request(first)
  harness.redis.kill()
  await harness.redis.restart()
  await expectResolved(first)
  const second = ids('nats', 120)
  await harness.request(second)
  natsServer.kill()
  await natsServer.restart()
  await expectResolved([...first, ...second])
})

it('queues look-ups after an outage of Redis during which the queue was opened', async () => {
  const redis = connectRedis(harness.redis.url, createLogger('test', 'silent'), 'failFast')
  await redis.ping()
  let reconnects = 0
  redis.on('reconnecting', () => {
    reconnects += 1
  })
  harness.redis.freeze()
  const queue = new LookupQueue(redis, { attempts: 1, backoffMs: 100 })
  harness.redis.kill()
  await until('the commands sent so far have failed', () => reconnects > 2)
  await harness.redis.restart()
  const request = { requestId: randomUUID(), version: Date.now(), correlationId: null }
  const youtubeIds = ids('opened', 2)
  await until('the queue accepts requests', () => queue.request(youtubeIds, request, false).then(() => true))
  await expectResolved(youtubeIds)
  await queue.close()
  redis.disconnect()
})
