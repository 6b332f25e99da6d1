import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PushedChanges } from './pushed-changes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DELAY_MS = 100

/** A fake SWR cache of a set of numbers: a mutation during a request discards the request's response. */
function fakeAnswer() {
  const state = {
    server: new Set<number>(),
    shown: undefined as Set<number> | undefined,
    requests: 0,
    applied: 0,
    discarded: 0,
  }
  let pending: { answer: Set<number>; isDiscarded: boolean } | undefined
  const changes = new PushedChanges<number>(
    {
      isBusy: () => pending !== undefined,
      isLoaded: () => state.shown !== undefined,
      apply: (pushed) => {
        if (pending) pending.isDiscarded = true
        state.applied += 1
        state.shown = new Set([...(state.shown ?? []), ...pushed])
      },
      reload: () => begin(),
    },
    DELAY_MS,
  )
  const begin = () => {
    state.requests += 1
    pending = { answer: new Set(state.server), isDiscarded: false }
  }
  const end = () => {
    if (!pending) return
    if (pending.isDiscarded) state.discarded += 1
    else state.shown = pending.answer
    pending = undefined
    changes.requestEnded()
  }
  const push = (item: number) => {
    state.server.add(item)
    changes.push(item)
  }
  return { state, changes, begin, end, push }
}

test('a change during the first request is shown with its answer, without another request', () => {
  const { state, begin, end, push } = fakeAnswer()
  state.server.add(1)
  begin()
  push(2)
  vi.advanceTimersByTime(10 * DELAY_MS)
  expect(state.shown).toBeUndefined()
  end()
  expect([...(state.shown ?? [])]).toEqual([1, 2])
  expect(state.requests).toBe(1)
})

test('a thousand changes are applied at once', () => {
  const { state, begin, end, push } = fakeAnswer()
  begin()
  end()
  for (let item = 0; item < 1000; item += 1) push(item)
  vi.advanceTimersByTime(DELAY_MS)
  expect(state.shown?.size).toBe(1000)
  expect(state.applied).toBe(1)
})

test('reloads requested during a request are merged into one that follows it', () => {
  const { state, changes, begin, end } = fakeAnswer()
  begin()
  state.server.add(7)
  changes.reload()
  changes.reload()
  vi.advanceTimersByTime(DELAY_MS)
  expect(state.requests).toBe(1)
  end()
  vi.advanceTimersByTime(DELAY_MS)
  expect(state.requests).toBe(2)
  end()
  vi.advanceTimersByTime(DELAY_MS)
  expect(state.requests).toBe(2)
  expect(state.shown).toEqual(new Set([7]))
})

test('no response is discarded and every change is applied, in any order of changes and requests', () => {
  const steps = fc.array(fc.constantFrom('push', 'reload', 'begin', 'end', 'wait'), { maxLength: 60 })
  fc.assert(
    fc.property(steps, (order) => {
      const { state, changes, begin, end, push } = fakeAnswer()
      let next = 0
      for (const step of order) {
        if (step === 'push') push(next++)
        if (step === 'reload') changes.reload()
        if (step === 'begin' && state.requests === 0) begin()
        if (step === 'end') end()
        if (step === 'wait') vi.advanceTimersByTime(DELAY_MS)
      }
      if (state.requests === 0) begin()
      for (let round = 0; round < 4; round += 1) {
        end()
        vi.advanceTimersByTime(DELAY_MS)
      }
      expect(state.shown).toEqual(state.server)
      expect(state.discarded).toBe(0)
    }),
  )
})
