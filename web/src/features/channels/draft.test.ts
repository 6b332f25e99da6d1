import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  draftText,
  type Entry,
  hasChanges,
  newDraft,
  saveBody,
  simulationBody,
  withGroupMovedTo,
  withMoved,
  withPlayedNext,
} from './draft.ts'

const entry = (id: string): Entry => ({
  id,
  videoId: `video of ${id}`,
  video: { title: `Song ${id}`, artistName: 'Anna', duration: '3:00', thumbnailUrl: null },
})
const list = (...ids: string[]) => ids.map(entry)
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id)
const draft = newDraft({ items: list('a', 'b', 'c', 'd'), etag: '1' })

test('moving an entry keeps the order of the others', () => {
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

test('a move without effect returns the same list', () => {
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

test('a group of entries is moved to a position, or after the current video', () => {
  const entries = list('a', 'b', 'c', 'd', 'e')
  const chosen = new Set(['b', 'e'])
  expect(idsOf(withGroupMovedTo(entries, chosen, 0))).toEqual(['b', 'e', 'a', 'c', 'd'])
  expect(idsOf(withGroupMovedTo(entries, chosen, 2))).toEqual(['a', 'c', 'b', 'e', 'd'])
  expect(idsOf(withGroupMovedTo(entries, chosen, 99))).toEqual(['a', 'c', 'd', 'b', 'e'])
  expect(idsOf(withPlayedNext(entries, chosen, 'video of c'))).toEqual(['a', 'c', 'b', 'e', 'd'])
  expect(idsOf(withPlayedNext(entries, chosen, undefined))).toEqual(['b', 'e', 'a', 'c', 'd'])
})

test('a draft saves and simulates the list that it shows', () => {
  expect(hasChanges(draft)).toBe(false)
  expect(simulationBody(draft)).toEqual({})
  expect(simulationBody(undefined)).toEqual({})
  const changed = { ...draft, entries: list('d', 'n', 'a'), shuffle: true }
  expect(hasChanges(changed)).toBe(true)
  const body = { itemIds: ['d', 'n', 'a'], added: [{ itemId: 'n', videoId: 'video of n' }] }
  expect(saveBody(changed.entries, changed.base.items)).toEqual(body)
  expect(simulationBody(changed)).toEqual({ list: body, shuffleEnabled: true })
  expect(simulationBody({ ...draft, shuffle: false })).toEqual({ shuffleEnabled: false })
})

test.each([
  [{ entries: list('b', 'a', 'c', 'd') }, 'Unsaved changes: new order.'],
  [{ entries: list('a', 'c', 'd') }, 'Unsaved changes: “Song b” removed.'],
  [{ entries: list('a', 'd') }, 'Unsaved changes: 2 removed.'],
  [{ shuffle: true }, 'Unsaved changes: shuffle enabled.'],
  [
    { entries: list('d', 'a', 'n', 'c'), shuffle: false },
    'Unsaved changes: 1 added, 1 removed, 1 moved, shuffle disabled.',
  ],
])('a draft is described by its changes: %j', (change, text) => {
  expect(draftText({ ...draft, ...change })).toBe(text)
})
