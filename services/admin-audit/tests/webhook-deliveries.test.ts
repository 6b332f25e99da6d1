import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { KEPT_DELIVERIES, MAX_WAITING_DELIVERIES } from '@looptide/contracts/http/webhooks'
import { until } from '@looptide/testkit/until'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openWebhookBench,
  type Received,
  type Receiver,
  startReceiver,
  type WebhookBench,
  withStatus,
} from './_webhooks.ts'

const HOUR_MS = 3_600_000
let bench: WebhookBench
let receiver: Receiver

beforeEach(async () => {
  ;[bench, receiver] = await Promise.all([openWebhookBench(), startReceiver()])
})
afterEach(async () => {
  await receiver.close()
  await bench.close()
})

/** The programmes that a receiver got on a channel, each when it came for the first time. */
const firstSeqs = (received: readonly Received[], channelId: string): number[] => [
  ...new Set(received.filter((each) => each.channelId === channelId).map(({ seq }) => seq)),
]
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

/** Moves the clock to the next attempt, until `untilMs` or until nothing waits. */
async function passTime(untilMs: number): Promise<void> {
  for (;;) {
    await bench.run()
    const { rows } = await sql<{ next: Date | null }>`
      select min(next_attempt_at) as next from webhook_deliveries d where state = 'waiting' and seq = (
        select min(seq) from webhook_deliveries f
        where f.state = 'waiting' and f.webhook_id = d.webhook_id and f.lane = d.lane)`.execute(bench.db)
    const nextMs = rows[0]?.next?.getTime()
    if (nextMs === undefined || nextMs > untilMs) break
    bench.nowMs = nextMs
  }
  bench.nowMs = untilMs
}

const stateOf = async (id: string) => (await bench.webhooks.list()).items.find((each) => each.id === id)

it('a receiver that answers 500 for two days gets each event, in the order of its channel', async () => {
  const startMs = bench.nowMs
  receiver.answer = withStatus(500)
  const { id } = await bench.create(receiver)
  for (let hour = 1; hour <= 48; hour += 1) {
    await bench.programme('default', hour)
    if (hour % 4 === 0) await bench.programme('jazz', hour / 4)
    await passTime(startMs + hour * HOUR_MS)
  }
  const { items, waiting } = await bench.deliveries.list(id)
  expect([items.map(({ error }) => error), waiting]).toEqual([['Answered 500.', 'Answered 500.'], 60])
  // Nothing overtakes the first event of a channel.
  expect([firstSeqs(receiver.received, 'default'), firstSeqs(receiver.received, 'jazz')]).toEqual([[1], [1]])
  expect(await stateOf(id)).toMatchObject({ isActive: true, failingSince: new Date(startMs).toISOString() })
  receiver.answer = withStatus(204)
  await passTime(startMs + 76 * HOUR_MS)
  expect(firstSeqs(receiver.received, 'default')).toEqual(numbers(48))
  expect(firstSeqs(receiver.received, 'jazz')).toEqual(numbers(12))
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(60)
  expect(await stateOf(id)).toMatchObject({ isActive: true, failingSince: null, disabled: null })
})

it('a receiver that fails for three days is switched off, and the admins are told', async () => {
  const startMs = bench.nowMs
  receiver.answer = withStatus(500)
  const { id } = await bench.create(receiver)
  await bench.programme('default', 1)
  await bench.programme('default', 2)
  await passTime(startMs + 75 * HOUR_MS)
  expect(await stateOf(id)).toMatchObject({ isActive: true })
  await passTime(startMs + 76 * HOUR_MS)
  expect(receiver.received).toHaveLength(10)
  expect(await stateOf(id)).toMatchObject({ isActive: false, disabled: { reason: 'failing' } })
  expect(await bench.outbox('admin.webhook.disabled.v1')).toEqual([
    { webhookId: id, reason: 'failing', host: new URL(receiver.url).host },
  ])
  expect((await bench.deliveries.list(id)).items).toMatchObject([
    { state: 'failed', attempts: 0, error: 'The webhook was switched off.' },
    { state: 'failed', attempts: 10, error: 'Answered 500.' },
  ])
  // Later events are not stored, until it is switched on again.
  await bench.programme('default', 3)
  await bench.webhooks.update(id, { isActive: true }, {})
  await bench.programme('default', 4)
  receiver.answer = withStatus(204)
  await bench.run()
  expect(receiver.received.at(-1)?.seq).toBe(4)
  expect(await stateOf(id)).toMatchObject({ isActive: true, disabled: null, failingSince: null })
})

it('a receiver that answers 410 is switched off at once', async () => {
  receiver.answer = withStatus(410)
  const { id } = await bench.create(receiver)
  await bench.programme('default', 1)
  await bench.run()
  expect(await stateOf(id)).toMatchObject({ isActive: false, disabled: { reason: 'gone' } })
})

it('a receiver is not asked again before the time of its Retry-After', async () => {
  receiver.answer = (_request, response) => void response.writeHead(429, { 'retry-after': '60' }).end()
  await bench.create(receiver)
  await bench.programme('default', 1)
  await passTime(bench.nowMs + 59_000)
  expect(receiver.received).toHaveLength(1)
  await passTime(bench.nowMs + 1000)
  expect(receiver.received).toHaveLength(2)
})

describe('a receiver', () => {
  it.each<[string, Receiver['answer'], string, unknown, number?]>([
    ['never answers', () => undefined, 'waiting', 'No complete answer within 10 seconds.', 3000],
    [
      'resets the connection',
      (request) => request.socket.resetAndDestroy(),
      'waiting',
      'The connection failed (ECONNRESET).',
    ],
    ['redirects', withStatus(307), 'waiting', 'Answered 307: redirects are not followed.'],
    [
      'answers without end',
      (_request, response) => {
        const write = (): void => {
          while (!response.destroyed && response.write('\0x'.repeat(10_000)));
        }
        response.on('drain', write)
        write()
      },
      'delivered',
      null,
    ],
  ])('that %s delays no other one', async (_what, answer, state, error, timeoutMs) => {
    if (timeoutMs !== undefined) {
      await bench.close()
      bench = await openWebhookBench(timeoutMs)
    }
    const other = await startReceiver()
    try {
      receiver.answer = answer
      const { id } = await bench.create(receiver)
      await bench.create(other)
      for (const seq of numbers(5)) await bench.programme('default', seq)
      // One step begins both first deliveries; the other receiver gets the rest while the first one is being sent.
      await bench.worker.step()
      await until('the other receiver has all', async () => {
        await bench.worker.step()
        return other.received.length === 5
      })
      await bench.worker.settle()
      await bench.run()
      expect(other.received.map(({ seq }) => seq)).toEqual(numbers(5))
      const first = (await bench.deliveries.list(id)).items.at(-1)
      expect(first).toMatchObject({ state, error })
      expect(first?.response?.body.length ?? 0).toBeLessThanOrEqual(4096)
    } finally {
      await other.close()
    }
  })
})

it('the channels of a webhook do not wait for each other, at most four at a time', async () => {
  const waiting: (() => void)[] = []
  receiver.answer = (_request, response) => void waiting.push(() => response.writeHead(204).end())
  await bench.create(receiver)
  for (const channelId of ['a', 'b', 'c', 'd', 'e']) await bench.programme(channelId, 1)
  expect(await bench.worker.step()).toBe(4)
  await until('four requests are open', () => waiting.length === 4)
  expect(await bench.worker.step()).toBe(0)
  receiver.answer = withStatus(204)
  for (const answer of waiting) answer()
  await bench.worker.settle()
  await bench.run()
  expect(receiver.received.map(({ channelId }) => channelId).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('a webhook gets the events of its kinds and channels, and none from before it', async () => {
  await bench.programme('default', 1)
  bench.nowMs += 1000
  await bench.create(receiver, { channelIds: ['default'] })
  await bench.create(receiver, { events: ['schedule.published'] })
  await bench.create(receiver, { isActive: false })
  await bench.programme('default', 2)
  await bench.programme('jazz', 3)
  await bench.run()
  expect(receiver.received.map(({ seq }) => seq)).toEqual([2])
})

it('keeps the last hundred deliveries for a month, and those that wait', async () => {
  const { id } = await bench.create(receiver)
  for (const seq of numbers(KEPT_DELIVERIES + 20)) await bench.programme('default', seq)
  await bench.run()
  receiver.answer = withStatus(500)
  await bench.programme('default', 500)
  await bench.run()
  await bench.worker.prune()
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::integer as n from webhook_deliveries`.execute(bench.db))
      .rows[0]?.n
  expect(await count()).toBe(KEPT_DELIVERIES + 1)
  bench.nowMs += 31 * 24 * HOUR_MS
  await bench.worker.prune()
  expect((await bench.deliveries.list(id)).items.map(({ state }) => state)).toEqual(['waiting'])
})

it('a webhook for which too many deliveries wait is switched off', async () => {
  const { id } = await bench.create(receiver)
  await bench.programme('default', 1)
  await sql`insert into webhook_deliveries (id, webhook_id, event_id, kind, lane, payload, next_attempt_at, created_at)
    select gen_random_uuid(), webhook_id, event_id, kind, lane, payload, next_attempt_at, created_at
    from webhook_deliveries, generate_series(1, ${MAX_WAITING_DELIVERIES})`.execute(bench.db)
  await bench.worker.prune()
  expect(await stateOf(id)).toMatchObject({ isActive: false, disabled: { reason: 'backlog' } })
  await bench.run()
  expect(receiver.received).toEqual([])
})

it('the worker of a process that has lost its lease records nothing', async () => {
  await bench.create(receiver)
  await bench.programme('default', 1)
  receiver.answer = (_request, response) => {
    void sql`update leases set holder = gen_random_uuid() where name = 'webhooks'`
      .execute(bench.db)
      .then(() => response.writeHead(204).end())
  }
  await bench.worker.step()
  await bench.worker.settle()
  const { rows } = await sql`select state, attempts from webhook_deliveries`.execute(bench.db)
  expect(rows).toEqual([{ state: 'waiting', attempts: 0 }])
})

describe('a worker that is killed in the middle', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  const spawnWorker = (): ChildProcess => {
    const script = fileURLToPath(new URL('_run-webhooks.ts', import.meta.url))
    const child = spawn(process.execPath, [script, bench.url], { stdio: 'ignore' })
    children.push(child)
    return child
  }

  it('has omitted no event and changed no order when another one has continued', async () => {
    await bench.create(receiver)
    for (const seq of numbers(30)) {
      await bench.programme('default', seq)
      await bench.programme('jazz', seq)
    }
    const child = spawnWorker()
    // The receiver has the request, and the worker does not know it.
    receiver.answer = (request, response) => {
      if (receiver.received.length < 7) withStatus(204)(request, response)
    }
    await until('a request is open', () => receiver.received.length >= 7)
    child.kill('SIGKILL')
    await once(child, 'exit')
    receiver.answer = withStatus(204)
    spawnWorker()
    await until('all have arrived', async () => {
      const left = await sql`select 1 from webhook_deliveries where state = 'waiting'`.execute(bench.db)
      return left.rows.length === 0
    })
    for (const channelId of ['default', 'jazz'])
      expect(firstSeqs(receiver.received, channelId)).toEqual(numbers(30))
    // Repeated were at most the requests that were open when the worker was killed.
    expect(receiver.received.length).toBeLessThanOrEqual(60 + 2)
    const seqs = receiver.received.filter(({ channelId }) => channelId === 'default').map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
  })
})
