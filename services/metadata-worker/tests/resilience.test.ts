import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { until } from '@looptide/testkit/until'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { env } from '../src/config.ts'
import { type Bench, ids, startBench } from './_worker.ts'

let bench: Bench
const processes: ChildProcess[] = []
beforeEach(async () => {
  bench = await startBench({ YOUTUBE_API_KEY: 'key', LOOKUP_BACKOFF_MS: '100', LOOKUP_ATTEMPTS: '20' })
})
afterEach(async () => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  await bench.close()
})

/** The worker as it runs in production: a process of its own. */
function spawnWorker(): ChildProcess {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main], { env: { ...env, ...bench.env }, stdio: 'ignore' })
  processes.push(child)
  return child
}

/** Every id has its answer once for everybody who looks at event ids. */
async function answered(wanted: readonly string[]): Promise<void> {
  await until(
    'every video has its answer',
    async () => {
      const found = new Set(
        (await bench.events('metadata.video.resolved.v1')).map(({ aggregateId }) => aggregateId),
      )
      return wanted.every((id) => found.has(id))
    },
    { timeoutMs: 25_000 },
  )
  const events = await bench.events('metadata.video.resolved.v1')
  const eventIds = new Set(events.map(({ id }) => id))
  expect(eventIds.size).toBe(wanted.length)
}

it('killed again and again in mid-work, it answers everything and nothing under two ids', async () => {
  await bench.worker.close()
  const wanted = ids('kill', 300)
  await bench.request(wanted)
  for (let round = 0; round < 3; round += 1) {
    const worker = spawnWorker()
    const before = bench.youtube.calls.videosList
    await until('it has asked YouTube', () => bench.youtube.calls.videosList > before, { timeoutMs: 20_000 })
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }
  spawnWorker()
  await answered(wanted)
}, 60_000)

it('waits for Redis and NATS to come back, and goes on by itself', async () => {
  const first = ids('redis', 120)
  await bench.request(first)
  bench.redis.kill()
  await bench.redis.restart()
  await answered(first)
  const second = ids('nats', 120)
  await bench.request(second)
  bench.natsServer.kill()
  await bench.natsServer.restart()
  await answered([...first, ...second])
}, 60_000)
