import fc from 'fast-check'
import { expect, it } from 'vitest'
import { heardRemoval, heardUpTo, NOTHING_HEARD, unreadCount } from './unread-count.ts'

it('counts what came after the mark and still stands, in whatever order it is heard of', () => {
  const story = fc.record({
    newest: fc.integer({ min: 0, max: 60 }),
    mark: fc.integer({ min: 0, max: 60 }),
    removed: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
  })
  fc.assert(
    fc.property(story, ({ newest, mark, removed }) => {
      let heard = NOTHING_HEARD
      for (const seq of removed) heard = heardRemoval(heard, seq)
      for (let seq = 0; seq <= newest; seq += 1) heard = heardUpTo(heard, seq)
      for (const seq of removed) heard = heardRemoval(heardUpTo(heard, 0), seq)
      const standing = Array.from({ length: newest }, (_, index) => index + 1).filter(
        (seq) => seq > mark && !removed.includes(seq),
      )
      expect(unreadCount(heard, mark)).toBe(standing.length)
    }),
  )
})

it('is nothing before something is known', () => {
  expect(unreadCount(NOTHING_HEARD, 3)).toBe(0)
  expect(unreadCount(heardUpTo(NOTHING_HEARD, 9), undefined)).toBe(0)
})
