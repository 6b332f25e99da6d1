import { expect, test } from 'vitest'
import { differenceOf } from './list-difference.ts'

interface Item {
  id: string
}
const list = (...ids: string[]): Item[] => ids.map((id) => ({ id }))
const idsOf = (items: readonly Item[]) => items.map(({ id }) => id)

test('the difference lists added and removed entries and the fewest possible moved ones', () => {
  const { added, removed, moved } = differenceOf(list('a', 'b', 'c', 'd'), list('d', 'a', 'n', 'c'))
  expect([idsOf(added), idsOf(removed), idsOf(moved)]).toEqual([['n'], ['b'], ['d']])
})
