import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createServerClock, sampleClock } from './server-clock.ts'

let localMs = 0
const local = () => localMs

beforeEach(() => {
  localMs = 1_000_000
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const tick = (ms: number) => {
  localMs += ms
  vi.advanceTimersByTime(ms)
}

it('is the local clock until the first sample, and the server’s afterwards', () => {
  const clock = createServerClock(local)
  expect(clock.nowMs()).toBe(1_000_000)
  clock.addSample({ sentAtMs: 999_980, serverNowMs: 1_499_990, receivedAtMs: 1_000_000 })
  expect(clock.nowMs()).toBeCloseTo(1_500_000, -1)
  expect(clock.estimate()?.roundTripMs).toBe(20)
})

it('notifies listeners of each sample until they unsubscribe', () => {
  const clock = createServerClock(local)
  let changes = 0
  const stop = clock.onChange(() => {
    changes += 1
  })
  clock.addSample({ sentAtMs: 0, serverNowMs: 5, receivedAtMs: 1 })
  stop()
  clock.addSample({ sentAtMs: 1, serverNowMs: 6, receivedAtMs: 2 })
  expect(changes).toBe(1)
})

it('sends one burst of requests, unless it is stopped before', () => {
  const sent: number[] = []
  const sampleAgain = () =>
    sampleClock(createServerClock(local), ({ sentAtMs }) => sent.push(sentAtMs), local)
  sampleAgain()
  for (let i = 0; i < 400; i += 1) tick(250)
  expect(sent.length).toBe(6)
  const sampler = sampleAgain()
  tick(250)
  sampler.stop()
  tick(60_000)
  expect(sent.length).toBe(8)
})

it('takes samples from polls, matching each reply to the oldest pending poll', () => {
  const clock = createServerClock(local)
  const sampler = sampleClock(clock, () => undefined, local)
  sampler.onPollReply({ serverNowMs: 1 })
  expect(clock.estimate()).toBeUndefined()
  sampler.onPollSent()
  tick(15_000)
  sampler.onPollSent()
  tick(40)
  sampler.onPollReply({ serverNowMs: 1_000_100 })
  expect(clock.estimate()?.roundTripMs).toBe(15_040)
  sampler.onPollReply({ serverNowMs: 1_015_120 })
  expect(clock.estimate()?.roundTripMs).toBe(40)
  expect(clock.nowMs()).toBeCloseTo(local() + 100, -2)
  sampler.onPollReply({ serverNowMs: 9_000_000 })
  expect(clock.estimate()?.samples).toBe(2)
})

it('counts a reply once, and only for its own request', () => {
  const clock = createServerClock(local)
  const sent: number[] = []
  const sampler = sampleClock(clock, ({ sentAtMs }) => sent.push(sentAtMs), local)
  tick(30)
  sampler.onReply({ sentAtMs: 1, serverNowMs: 7 })
  expect(clock.estimate()).toBeUndefined()
  const request = sent[0] ?? Number.NaN
  sampler.onReply({ sentAtMs: request, serverNowMs: 1_000_015 })
  sampler.onReply({ sentAtMs: request, serverNowMs: 9_000_000 })
  expect(clock.estimate()?.samples).toBe(1)
  expect(clock.nowMs()).toBeCloseTo(1_000_030, -1)
  sampler.stop()
})

it('accepts a reply that is slower than the gap between two requests', () => {
  const clock = createServerClock(local)
  const sent: number[] = []
  const sampler = sampleClock(clock, ({ sentAtMs }) => sent.push(sentAtMs), local)
  tick(600)
  sampler.onReply({ sentAtMs: sent[0] ?? Number.NaN, serverNowMs: 1_000_300 })
  expect(clock.estimate()?.roundTripMs).toBe(600)
  sampler.stop()
})
