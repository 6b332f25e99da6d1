import { expect, it } from 'vitest'
import type { Peers } from '../peers/peers.ts'
import { ViewerCounter } from './viewer-counter.ts'

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
