import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderBefore, withRemoved } from './playlist-before.ts'

const playlist = fc.uniqueArray(fc.uuid(), { maxLength: 30 })

it('removed items return to their positions', () => {
  const example = playlist.chain((ids) => fc.record({ ids: fc.constant(ids), gone: fc.subarray(ids) }))
  fc.assert(
    fc.property(example, ({ ids, gone }) => {
      const removed = gone.map((itemId) => ({ itemId, position: ids.indexOf(itemId) }))
      const left = ids.filter((id) => !gone.includes(id))
      expect(withRemoved(left, removed.toReversed())).toEqual(ids)
    }),
  )
})

it('items return to the end of a playlist that has become shorter', () => {
  expect(withRemoved(['a'], [{ itemId: 'b', position: 7 }])).toEqual(['a', 'b'])
})

it('moved items return to their positions', () => {
  const example = playlist.chain((ids) =>
    fc.record({
      ids: fc.constant(ids),
      moved: fc.shuffledSubarray(ids),
      places: fc.infiniteStream(fc.nat(30)),
    }),
  )
  fc.assert(
    fc.property(example, ({ ids, moved, places }) => {
      const after = ids.filter((id) => !moved.includes(id))
      for (const id of moved) after.splice(places.next().value ?? 0, 0, id)
      const positions = moved.map((id) => ids.indexOf(id))
      expect(orderBefore(after, moved, positions)).toEqual(ids)
    }),
  )
})
