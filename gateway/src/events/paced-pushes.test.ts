import type { Push } from '@looptide/contracts/event'
import { topics } from '@looptide/contracts/realtime'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PacedPushes } from './paced-pushes.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

/** The writes to the members of all topics: the time in ms, and the events and payloads. */
function start({ hasMembers = true } = {}) {
  const writes: { atMs: number; pushes: unknown[][] }[] = []
  const paced = new PacedPushes({
    hasMembers: () => hasMembers,
    publishTogether: (_topic, pushes) =>
      writes.push({
        atMs: performance.now(),
        pushes: pushes.map(({ event, payload }) => [event, payload]),
      }),
  })
  return { paced, writes }
}
const admin = (event: string, payload: unknown, key?: string): Push => ({
  topic: topics.admin,
  event,
  payload,
  ...(key !== undefined && { key }),
})

it('sends a push on an idle topic at once, those that follow together a second later', async () => {
  const { paced, writes } = start()
  const startedMs = performance.now()
  paced.push(admin('status', 1))
  await vi.advanceTimersByTimeAsync(100)
  paced.push(admin('job', 2))
  await vi.advanceTimersByTimeAsync(100)
  paced.push(admin('change', 3))
  await vi.advanceTimersByTimeAsync(5000)
  paced.push(admin('status', 4))
  await vi.advanceTimersByTimeAsync(0)
  expect(writes.map(({ atMs, pushes }) => [atMs - startedMs, pushes])).toEqual([
    [0, [['status', 1]]],
    [
      1000,
      [
        ['job', 2],
        ['change', 3],
      ],
    ],
    [5200, [['status', 4]]],
  ])
})

it('writes once a second during long work, and always the last state of each thing', async () => {
  const { paced, writes } = start()
  for (let step = 0; step < 1000; step += 1) {
    paced.push(admin('job', { done: step }, 'job a'))
    for (let n = 0; n < 5; n += 1) {
      const youtubeId = `video${(step * 5 + n) % 200}`
      paced.push(admin('metadata', { youtubeId, step }, `metadata ${youtubeId}`))
    }
    await vi.advanceTimersByTimeAsync(10)
  }
  await vi.advanceTimersByTimeAsync(1000)
  expect(writes.length).toBeLessThanOrEqual(11)
  for (const { pushes } of writes) expect(pushes.length).toBeLessThanOrEqual(6)
  const states = new Map<string, unknown>()
  for (const [event, payload] of writes.flatMap(({ pushes }) => pushes)) {
    const { payloads = [payload] } = event === 'batch' ? (payload as { payloads: unknown[] }) : {}
    for (const one of payloads as { youtubeId?: string }[]) states.set(one.youtubeId ?? 'job', one)
  }
  expect(states.get('job')).toEqual({ done: 999 })
  for (let n = 0; n < 200; n += 1) {
    const step = 960 + Math.floor(n / 5)
    expect(states.get(`video${n}`)).toEqual({ youtubeId: `video${n}`, step })
  }
})

it('says that many videos have changed, and sends a deletion after the changes before it', async () => {
  const { paced, writes } = start()
  for (let n = 0; n < 21; n += 1) paced.push(admin('video', { n }, `video ${n}`))
  paced.push(admin('video_removed', { n: 0 }, 'video 0'))
  paced.push(admin('video', { n: 21 }, 'video 21'))
  await vi.advanceTimersByTimeAsync(0)
  expect(writes.map(({ pushes }) => pushes)).toEqual([
    [
      ['video_removed', { n: 0 }],
      ['videos', { count: 21 }],
    ],
  ])
})

it('sends pushes to viewers at once, and none to a topic without members', async () => {
  const { paced, writes } = start()
  paced.push({ topic: topics.stream('default'), event: 'status', payload: 1 })
  expect(writes).toHaveLength(1)
  const nobody = start({ hasMembers: false })
  nobody.paced.push(admin('status', 1))
  await vi.advanceTimersByTimeAsync(1000)
  expect(nobody.writes).toEqual([])
})
