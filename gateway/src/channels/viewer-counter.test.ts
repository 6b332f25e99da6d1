import { expect, it } from 'vitest'
import type { Peers } from '../peers/peers.ts'
import { ViewerCounter } from './viewer-counter.ts'

it('publishes a total that was another one since the last time, which a page may have read', () => {
  const local = new Map([['jazz', 1000]])
  const published: Record<string, number>[] = []
  const counter = new ViewerCounter({
    peers: { send: () => undefined } as Partial<Peers> as Peers,
    local: { all: () => local, of: (id) => local.get(id) ?? 0 },
    attendance: { report: () => [] },
    publish: (counts) => published.push(Object.fromEntries(counts)),
    now: () => 0,
  })
  const become = (id: string, count: number) => {
    local.set(id, count)
    if (count === 0) local.delete(id)
    counter.changed(id)
  }
  counter.publishChanges()
  for (const [id, counts] of [
    ['rock', [1, 0]],
    ['jazz', [1001, 1000]],
    ['jazz', [1020, 1000]],
    ['jazz', [980, 1000]],
  ] as const) {
    for (const count of counts) become(id, count)
    counter.publishChanges()
    counter.publishChanges()
  }
  expect(published).toEqual([{ jazz: 1000 }, { rock: 0 }, { jazz: 1000 }, { jazz: 1000 }])
  counter.stop()
})

it('publishes the totals that have changed together, and those of channels without viewers once', () => {
  const local = new Map([
    ['jazz', 2],
    ['rock', 1],
  ])
  const published: Record<string, number>[] = []
  const counter = new ViewerCounter({
    // Publishing involves no other gateway.
    peers: {} as Peers,
    local: { all: () => local, of: (id) => local.get(id) ?? 0 },
    attendance: { report: () => [] },
    publish: (counts) => published.push(Object.fromEntries(counts)),
    now: () => 0,
  })
  counter.publishChanges()
  counter.publishChanges()
  expect(published).toEqual([{ jazz: 2, rock: 1 }])
  local.delete('rock')
  counter.publishChanges()
  counter.publishChanges()
  expect(published.slice(1)).toEqual([{ rock: 0 }])
})
