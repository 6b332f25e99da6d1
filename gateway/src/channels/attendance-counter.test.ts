import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AttendanceCounter } from './attendance-counter.ts'

function start() {
  const station = { nowMs: 0, programme: 'jazz.1.1' as string | undefined }
  const counted: string[] = []
  const counter = new AttendanceCounter({
    programmeOf: () => station.programme,
    onCounted: (what) => counted.push(what),
    now: () => station.nowMs,
  })
  const add = (kind: 'join' | 'leave', viewer: string) => counter.add({ kind, channelId: 'jazz', viewer })
  return { station, counted, counter, add }
}

it('counts a leave in the airing in which it happens, and no reconnection', () => {
  const { station, counter, counted, add } = start()
  for (const viewer of ['ann', 'bob', 'cleo']) add('join', viewer)
  add('leave', 'ann')
  add('leave', 'bob')
  station.nowMs = 9_999
  station.programme = 'jazz.2.1'
  add('join', 'ann')
  expect(counter.report()).toEqual([{ channelId: 'jazz', seq: 1, joins: 3, leaves: 0 }])
  station.nowMs = 10_000
  add('join', 'bob')
  expect(counter.report()).toEqual([
    { channelId: 'jazz', seq: 1, joins: 3, leaves: 1 },
    { channelId: 'jazz', seq: 2, joins: 1, leaves: 0 },
  ])
  expect(counted).toEqual(['joins', 'joins', 'joins', 'joins', 'leaves'])
})

it('reports an airing for a while after it, also if it was cut short', () => {
  const { station, counter, add } = start()
  add('join', 'ann')
  station.programme = 'jazz.1.2'
  station.nowMs = 60_000
  add('join', 'bob')
  const expected = [{ channelId: 'jazz', seq: 1, joins: 2, leaves: 0 }]
  station.nowMs = 200_000
  expect(counter.report()).toEqual(expected)
  station.programme = undefined
  add('leave', 'ann')
  expect(counter.report()).toEqual([])
})

it('joins without leaves are the viewers, in any order of joins and leaves', () => {
  const step = fc.record({
    kind: fc.constantFrom('join' as const, 'leave' as const),
    viewer: fc.constantFrom('ann', 'bob', 'cleo'),
    afterMs: fc.integer({ min: 0, max: 8_000 }),
    isReported: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { station, counter, add } = start()
      const sockets: Record<string, number> = {}
      for (const { kind, viewer, afterMs, isReported } of steps) {
        station.nowMs += afterMs
        const open = sockets[viewer] ?? 0
        if (kind === 'leave' && open === 0) continue
        sockets[viewer] = open + (kind === 'join' ? 1 : -1)
        add(kind, viewer)
        if (isReported) counter.report()
      }
      station.nowMs += 10_000
      const viewers = Object.values(sockets).reduce((sum, open) => sum + open, 0)
      const [{ joins, leaves } = { joins: 0, leaves: 0 }] = counter.report()
      expect(joins - leaves).toBe(viewers)
    }),
  )
})
