import type { Channel } from '@looptide/contracts/http/channels'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  differenceOf,
  draftText,
  type Entry,
  hasChanges,
  newDraft,
  saveBody,
  simulationOf,
  withMoved,
  withMovedTo,
  withPlayedNext,
} from './draft.ts'

const entry = (id: string): Entry => ({
  id,
  videoId: `video of ${id}`,
  video: { title: `Song ${id}`, artistName: 'Anna', duration: '3:00', thumbnailUrl: null },
})
const list = (...ids: string[]) => ids.map(entry)
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id)
const channel = { name: 'Night Jazz' } as Channel
const draft = newDraft({ items: list('a', 'b', 'c', 'd'), etag: '1' })

test('moving one keeps all others in their order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), fc.nat(), (all, a, b) => {
      const from = a % all.length
      const to = b % all.length
      const moved = withMoved(all, from, to)
      expect(moved[to]).toBe(all[from])
      const others = (numbers: readonly number[]) => numbers.filter((number) => number !== all[from])
      expect(others(moved)).toEqual(others(all))
    }),
  )
})

test('what leads nowhere changes nothing', () => {
  const items = ['a', 'b']
  for (const [from, to] of [
    [0, 0],
    [0, 2],
    [1, -1],
    [5, 0],
  ] as const) {
    expect(withMoved(items, from, to)).toBe(items)
  }
})

test('several are moved together to a place, or behind what is on now', () => {
  const entries = list('a', 'b', 'c', 'd', 'e')
  const chosen = new Set(['b', 'e'])
  expect(idsOf(withMovedTo(entries, chosen, 0))).toEqual(['b', 'e', 'a', 'c', 'd'])
  expect(idsOf(withMovedTo(entries, chosen, 2))).toEqual(['a', 'c', 'b', 'e', 'd'])
  expect(idsOf(withMovedTo(entries, chosen, 99))).toEqual(['a', 'c', 'd', 'b', 'e'])
  expect(idsOf(withPlayedNext(entries, chosen, 'video of c'))).toEqual(['a', 'c', 'b', 'e', 'd'])
  expect(idsOf(withPlayedNext(entries, chosen, undefined))).toEqual(['b', 'e', 'a', 'c', 'd'])
})

test('the difference names what was added and removed, and as few as possible as moved', () => {
  const { added, removed, moved } = differenceOf(list('a', 'b', 'c', 'd'), list('d', 'a', 'n', 'c'))
  expect([idsOf(added), idsOf(removed), idsOf(moved)]).toEqual([['n'], ['b'], ['d']])
})

test('a draft asks to save and to simulate the list that it shows', () => {
  expect(hasChanges(draft)).toBe(false)
  expect(simulationOf(draft)).toEqual({})
  expect(simulationOf(undefined)).toEqual({})
  const changed = { ...draft, entries: list('d', 'n', 'a'), shuffle: true }
  expect(hasChanges(changed)).toBe(true)
  const body = { itemIds: ['d', 'n', 'a'], added: [{ itemId: 'n', videoId: 'video of n' }] }
  expect(saveBody(changed.entries, changed.base.items)).toEqual(body)
  expect(simulationOf(changed)).toEqual({ list: body, shuffleEnabled: true })
  expect(simulationOf({ ...draft, shuffle: false })).toEqual({ shuffleEnabled: false })
})

test.each([
  [{ entries: list('b', 'a', 'c', 'd') }, 'The new order is not saved yet.'],
  [{ entries: list('a', 'c', 'd') }, '“Song b” is not removed yet.'],
  [{ entries: list('a', 'd') }, 'Not saved yet: 2 removed.'],
  [{ shuffle: true }, 'Shuffle is not enabled for Night Jazz yet.'],
  [
    { entries: list('d', 'a', 'n', 'c'), shuffle: false },
    'Not saved yet: 1 added, 1 removed, 1 moved, shuffle disabled.',
  ],
])('a draft is described by its changes: %j', (change, text) => {
  expect(draftText({ ...draft, ...change }, channel)).toBe(text)
})
