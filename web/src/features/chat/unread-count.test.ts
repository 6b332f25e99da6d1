import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NOTHING_RECEIVED, receivedRemoval, receivedUpTo, unreadCount } from './unread-count.ts'

it('counts messages after the read position that are not deleted, in any order of arrival', () => {
  const story = fc.record({
    newest: fc.integer({ min: 0, max: 60 }),
    readSeq: fc.integer({ min: 0, max: 60 }),
    removed: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 }),
  })
  fc.assert(
    fc.property(story, ({ newest, readSeq, removed }) => {
      let received = NOTHING_RECEIVED
      for (const seq of removed) received = receivedRemoval(received, seq)
      for (let seq = 0; seq <= newest; seq += 1) received = receivedUpTo(received, seq)
      for (const seq of removed) received = receivedRemoval(receivedUpTo(received, 0), seq)
      const permissions = Array.from({ length: newest }, (_, index) => index + 1).filter(
        (seq) => seq > readSeq && !removed.includes(seq),
      )
      expect(unreadCount(received, readSeq)).toBe(permissions.length)
    }),
  )
})

it('is 0 until messages are received', () => {
  expect(unreadCount(NOTHING_RECEIVED, 3)).toBe(0)
  expect(unreadCount(receivedUpTo(NOTHING_RECEIVED, 9), undefined)).toBe(0)
})
