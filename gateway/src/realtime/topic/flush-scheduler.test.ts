import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FlushScheduler, type FlushSource } from './flush-scheduler.ts'
import { type GroupMember, SubscriberGroup } from './subscriber-group.ts'

const WINDOW_MS = 25
/** Time that it takes to serve one subscriber, in ms. */
const SERVE_MS = 10
const SUBSCRIBERS = 6

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

/** A topic whose subscribers are slow to serve: a pass takes longer than a window. Notes when passes start and end (ms). */
function startTopic() {
  const group = new SubscriberGroup({ version: '2.0.0', bindings: null })
  let servingMs = 0
  const now = () => Date.now() + servingMs
  const write = () => {
    servingMs += SERVE_MS
  }
  const connection = { version: '2.0.0' as const, write }
  const members: GroupMember[] = Array.from({ length: SUBSCRIBERS }, () => ({
    connection,
    group,
    delivered: 0,
  }))
  const starts: number[] = []
  const ends: number[] = []
  const source: FlushSource = {
    hasFrames: () => group.hasFrames,
    beginPass: () => {
      starts.push(now())
      group.beginPass()
      return members.values()
    },
    endPass: () => {
      ends.push(now())
      group.endPass()
      return group.hasFrames
    },
  }
  const scheduler = new FlushScheduler(source, { windowMs: WINDOW_MS, now })
  const publish = () => {
    group.append(Buffer.from('frame'))
    scheduler.schedule()
  }
  const pauseMs = () => Number(starts[1]) - Number(ends[0])
  return { publish, starts, pauseMs }
}

it('a message on an idle topic is delivered at once', () => {
  const { publish, starts } = startTopic()
  publish()
  expect(starts).toEqual([0])
})

it('starts the next pass directly after a long one when few messages wait', async () => {
  const { publish, pauseMs } = startTopic()
  publish()
  for (let i = 0; i < 3; i += 1) publish()
  await vi.runAllTimersAsync()
  expect(pauseMs()).toBe(0)
})

it('waits for a window after a long pass when many messages wait', async () => {
  const { publish, pauseMs } = startTopic()
  publish()
  for (let i = 0; i < 4; i += 1) publish()
  await vi.runAllTimersAsync()
  expect(pauseMs()).toBe(WINDOW_MS)
})
