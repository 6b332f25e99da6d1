import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WatchReporter } from './watch-reporter.ts'

const MINUTE_MS = 60_000

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A reporter, and the times of its reports in s after the start. `answer` may fail. */
function start(answer: () => Promise<{ nextAfterMs: number }>) {
  const startMs = Date.now()
  const times: number[] = []
  const reporter = new WatchReporter({
    report: () => {
      times.push((Date.now() - startMs) / 1000)
      return answer()
    },
    nowMs: () => Date.now(),
  })
  return { reporter, times }
}
const everyMinute = () => Promise.resolve({ nextAfterMs: MINUTE_MS })

test('reports at once, then as often as the server asks', async () => {
  const answers = [MINUTE_MS, MINUTE_MS, 60 * MINUTE_MS]
  const { reporter, times } = start(async () => ({ nextAfterMs: answers.shift() ?? MINUTE_MS }))
  reporter.update(true)
  reporter.update(true)
  await vi.advanceTimersByTimeAsync(61 * MINUTE_MS)
  expect(times).toEqual([0, 60, 120])
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
  expect(times).toEqual([0, 60, 120, 3720, 3780])
})

test('does not report while nobody watches, and counts no pause as watched', async () => {
  const { reporter, times } = start(everyMinute)
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS)
  expect(times).toEqual([])
  reporter.update(true)
  await vi.advanceTimersByTimeAsync(20_000)
  reporter.update(false)
  await vi.advanceTimersByTimeAsync(5 * MINUTE_MS)
  reporter.update(true)
  await vi.advanceTimersByTimeAsync(39_000)
  expect(times).toEqual([600])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(times).toEqual([600, 960])
})

test('goes on after a report that has failed, a minute later', async () => {
  const { reporter, times } = start(() => Promise.reject(new Error('offline')))
  reporter.update(true)
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS)
  expect(times).toEqual([0, 60, 120])
})

test('sends one report at a time, also if the viewer pauses until it is answered', async () => {
  const { reporter, times } = start(
    () => new Promise((resolve) => setTimeout(() => resolve({ nextAfterMs: MINUTE_MS }), 30_000)),
  )
  reporter.update(true)
  await vi.advanceTimersByTimeAsync(5_000)
  reporter.update(false)
  reporter.update(true)
  await vi.advanceTimersByTimeAsync(54_000)
  expect(times).toEqual([0])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(times).toEqual([0, 60])
})
