import { expect, test } from 'vitest'
import { expectedOrder } from './expected-order.ts'
import { requestOf } from './testing/vote-slot.ts'

const requests = ['m1', 'm2', 'm3', 'f1', 'unvoted'].map((id, index) => requestOf(id, index, 240_000))
const majority = ['m1', 'm2', 'm3']
const ballots = [majority, majority, ['f1']].map((approved) => ({ load: 0, approved }))

test('the expected order plays decisions in advance, so that a minority is not last', () => {
  expect(expectedOrder('vote', ballots, requests, 10)).toEqual(['m1', 'm2', 'f1', 'm3', 'unvoted'])
})

test('beyond the limit, requests are in the order of the decision after it', () => {
  expect(expectedOrder('vote', ballots, requests, 1)).toEqual(['m1', 'm2', 'm3', 'f1', 'unvoted'])
})

test('the expected order of turns alternates by minutes', () => {
  const turns = [['m1', 'm2'], ['f1'], ['m3']].map((approved) => ({ load: 0, approved }))
  expect(expectedOrder('turn', turns, requests, 10)).toEqual(['m1', 'm3', 'f1', 'm2', 'unvoted'])
})
