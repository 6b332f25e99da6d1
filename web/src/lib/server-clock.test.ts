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

it('tells its listeners of each sample until they leave', () => {
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

it('asks in a burst and no more, or until it is stopped', () => {
  const asked: number[] = []
  const sampleAgain = () =>
    sampleClock(createServerClock(local), ({ sentAtMs }) => asked.push(sentAtMs), local)
  sampleAgain()
  for (let i = 0; i < 400; i += 1) tick(250)
  expect(asked.length).toBe(6)
  const sampler = sampleAgain()
  tick(250)
  sampler.stop()
  tick(60_000)
  expect(asked.length).toBe(8)
})

it('takes the time from polls, each answer for the oldest poll that has none', () => {
  const clock = createServerClock(local)
  const sampler = sampleClock(clock, () => undefined, local)
  sampler.pollAnswered({ serverNowMs: 1 })
  expect(clock.estimate()).toBeUndefined()
  sampler.polled()
  tick(15_000)
  sampler.polled()
  tick(40)
  sampler.pollAnswered({ serverNowMs: 1_000_100 })
  expect(clock.estimate()?.roundTripMs).toBe(15_040)
  sampler.pollAnswered({ serverNowMs: 1_015_120 })
  expect(clock.estimate()?.roundTripMs).toBe(40)
  expect(clock.nowMs()).toBeCloseTo(local() + 100, -2)
  sampler.pollAnswered({ serverNowMs: 9_000_000 })
  expect(clock.estimate()?.samples).toBe(2)
})

it('counts an answer once, and only to a question of its own', () => {
  const clock = createServerClock(local)
  const asked: number[] = []
  const sampler = sampleClock(clock, ({ sentAtMs }) => asked.push(sentAtMs), local)
  tick(30)
  sampler.answered({ sentAtMs: 1, serverNowMs: 7 })
  expect(clock.estimate()).toBeUndefined()
  const question = asked[0] ?? Number.NaN
  sampler.answered({ sentAtMs: question, serverNowMs: 1_000_015 })
  sampler.answered({ sentAtMs: question, serverNowMs: 9_000_000 })
  expect(clock.estimate()?.samples).toBe(1)
  expect(clock.nowMs()).toBeCloseTo(1_000_030, -1)
  sampler.stop()
})

it('still takes an answer that is slower than the gap between two questions', () => {
  const clock = createServerClock(local)
  const asked: number[] = []
  const sampler = sampleClock(clock, ({ sentAtMs }) => asked.push(sentAtMs), local)
  tick(600)
  sampler.answered({ sentAtMs: asked[0] ?? Number.NaN, serverNowMs: 1_000_300 })
  expect(clock.estimate()?.roundTripMs).toBe(600)
  sampler.stop()
})
