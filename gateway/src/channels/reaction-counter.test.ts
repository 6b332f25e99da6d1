import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ReactionCounter } from './reaction-counter.ts'

interface Frame {
  channelId: string
  airingId: string
  counts: object
}

/** Gateways that receive each other's reports at once, except while the network is down. */
function startGateways(ids: readonly string[]) {
  const station = { airing: 'a1' as string | undefined, isDown: false, reports: 0 }
  const listeners: ((bytes: Uint8Array) => void)[] = []
  const gateways = ids.map((id) => {
    const frames: Frame[] = []
    const counter = new ReactionCounter({
      peers: {
        id,
        send: (_subject, payload) => {
          station.reports += 1
          if (station.isDown) return
          for (const receive of listeners) receive(Buffer.from(payload))
        },
        subscribe: (_subject, onMessage) => {
          listeners.push(onMessage)
          return { unsubscribe: () => undefined }
        },
        recordActivity: (gatewayId) => gatewayId !== id,
        listen: () => undefined,
      },
      airingOf: () => station.airing,
      publish: (channelId, reactions) => frames.push({ channelId, ...structuredClone(reactions) }),
      now: () => Date.now(),
    })
    counter.start()
    return { counter, frames }
  })
  return { station, gateways: gateways as [(typeof gateways)[0], (typeof gateways)[0]] }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

it('each gateway sends one frame a second with the reactions at all gateways, and none without any', () => {
  const { station, gateways } = startGateways(['one', 'two'])
  const [one, two] = gateways
  for (let socket = 0; socket < 500; socket += 1) {
    one.counter.add({}, 'c1', '❤️')
    two.counter.add({}, 'c1', socket % 2 === 0 ? '❤️' : '🔥')
  }
  vi.advanceTimersByTime(1200)
  const counts = { '❤️': 750, '🔥': 250 }
  expect(one.frames).toEqual([{ channelId: 'c1', airingId: 'a1', counts }])
  expect(two.frames).toEqual(one.frames)
  expect(station.reports).toBe(2)
  vi.advanceTimersByTime(10_000)
  expect(one.frames).toHaveLength(1)
  expect(station.reports).toBe(2)
  one.counter.add({}, 'c1', '🎉')
  vi.advanceTimersByTime(1200)
  expect(two.frames.at(-1)).toEqual({ channelId: 'c1', airingId: 'a1', counts: { '🎉': 1 } })
})

it('the next report brings the reactions of one that was lost', () => {
  const { station, gateways } = startGateways(['one', 'two'])
  const [one, two] = gateways
  station.isDown = true
  one.counter.add({}, 'c1', '👏')
  vi.advanceTimersByTime(1200)
  expect(two.frames).toEqual([])
  station.isDown = false
  one.counter.add({}, 'c1', '👏')
  vi.advanceTimersByTime(1200)
  expect(two.frames).toEqual([{ channelId: 'c1', airingId: 'a1', counts: { '👏': 2 } }])
})

it('reactions count for the airing during which they were sent, and for none while nothing is on the air', () => {
  const { station, gateways } = startGateways(['one', 'two'])
  const [one, two] = gateways
  one.counter.add({}, 'c1', '😮')
  vi.advanceTimersByTime(1200)
  station.airing = 'a2'
  one.counter.add({}, 'c1', '😮')
  vi.advanceTimersByTime(1200)
  expect(two.frames.map(({ airingId, counts }) => [airingId, counts])).toEqual([
    ['a1', { '😮': 1 }],
    ['a2', { '😮': 1 }],
  ])
  station.airing = undefined
  expect(one.counter.add({}, 'c1', '😮')).toBe('nothing is on the air')
})

it('a socket sends at most four a second', () => {
  const { gateways } = startGateways(['one'])
  const [one] = gateways
  const socket = {}
  const results = Array.from({ length: 6 }, () => one.counter.add(socket, 'c1', '😂'))
  expect(results.filter((reason) => reason === undefined)).toHaveLength(4)
  expect(one.counter.add({}, 'c1', '😂')).toBeUndefined()
  vi.advanceTimersByTime(1200)
  expect(one.frames[0]?.counts).toEqual({ '😂': 5 })
  expect(one.counter.add(socket, 'c1', '😂')).toBeUndefined()
})
