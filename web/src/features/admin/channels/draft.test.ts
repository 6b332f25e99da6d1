import type { ChannelPlaylistItem } from '@looptide/contracts/http/channels'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemsAfter, wishOf, withMoved } from './draft.ts'

test('moving one keeps all others in their order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), fc.nat(), (list, a, b) => {
      const from = a % list.length
      const to = b % list.length
      const moved = withMoved(list, from, to)
      expect(moved[to]).toBe(list[from])
      const others = (all: readonly number[]) => all.filter((entry) => entry !== list[from])
      expect(others(moved)).toEqual(others(list))
    }),
  )
})

test('what leads nowhere changes nothing', () => {
  const list = ['a', 'b']
  for (const [from, to] of [
    [0, 0],
    [0, 2],
    [1, -1],
    [5, 0],
  ] as const) {
    expect(withMoved(list, from, to)).toBe(list)
  }
})

test('a draft shows the list as it would be, and asks for just that', () => {
  const item = (id: string): ChannelPlaylistItem => ({ id, videoId: id, position: 0, video: null })
  const items = [item('a'), item('b'), item('c')]
  const [a, b] = [item('a'), item('b')]
  expect(itemsAfter(items, null)).toBe(items)
  expect(wishOf(null)).toEqual({})
  expect(itemsAfter(items, { kind: 'remove', item: b }).map(({ id }) => id)).toEqual(['a', 'c'])
  expect(wishOf({ kind: 'remove', item: b })).toEqual({ remove: ['b'] })
  expect(itemsAfter(items, { kind: 'order', items: [b, a] })).toEqual([b, a])
  expect(wishOf({ kind: 'order', items: [b, a] })).toEqual({ order: ['b', 'a'] })
  expect(itemsAfter(items, { kind: 'shuffle', isOn: true })).toBe(items)
  expect(wishOf({ kind: 'shuffle', isOn: true })).toEqual({ shuffleEnabled: true })
})
