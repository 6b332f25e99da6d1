import type { Poll } from '@looptide/contracts/http/polls'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { percentOf, votesText, withChanges } from './poll-changes.ts'

const poll = (id: string, version: number, minute = 0): Poll => ({
  ...{ id, channelId: 'c', airingId: null, question: '?', answers: [], votes: version, state: 'open' },
  askedAt: `2026-11-28T20:0${minute}:00.000Z`,
  ...{ closesAt: '2026-11-28T21:00:00.000Z', closedAt: null, version },
})
const page = (...items: Poll[]) => ({ items, nextCursor: null })

it('shows the newest version of a poll, in whatever order and however often pushes arrive', () => {
  const versions = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(versions, (received) => {
      const { items } = withChanges(
        page(),
        received.map((version) => ({ poll: poll('a', version) })),
      )
      expect(items.map(({ id, version }) => [id, version])).toEqual([['a', Math.max(...received)]])
    }),
  )
})

it('puts a new poll first, and ignores a late push of one before the newest', () => {
  const next = withChanges(page(poll('a', 3)), [{ poll: poll('b', 1, 1) }])
  expect(next.items.map(({ id }) => id)).toEqual(['b', 'a'])
  expect(withChanges(page(poll('b', 1, 1)), [{ poll: poll('a', 4) }]).items.map(({ id }) => id)).toEqual([
    'b',
  ])
})

it('forgets a deleted poll', () => {
  expect(withChanges(page(poll('a', 1)), [{ removedId: 'b' }, { removedId: 'a' }]).items).toEqual([])
})

it('writes shares and numbers of votes', () => {
  expect([percentOf(0, 0), percentOf(1, 3), percentOf(2, 3)]).toEqual([0, 33, 67])
  expect([votesText(0), votesText(1), votesText(2)]).toEqual(['0 votes', '1 vote', '2 votes'])
})
