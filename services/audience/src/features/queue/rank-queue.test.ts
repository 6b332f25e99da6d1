import { NO_TURNS } from '@looptide/fairness/turns'
import { expect, it } from 'vitest'
import type { QueuedRow } from './queue-repository.ts'
import { UNRANKED } from './queue-repository.ts'
import { MAX_QUEUED, rankQueue } from './rank-queue.ts'

const MINUTE_MS = 60_000
const NOTHING_CHARGED = {
  ...{ loads: { votes: [], turns: NO_TURNS }, nowMs: 0 },
  excluded: new Set<string>(),
}

/** A request `<account><number>` of four minutes, made in the order of the calls. */
let requestedAtMs = 0
function requestOf(id: string, fields: Partial<QueuedRow> = {}): QueuedRow {
  requestedAtMs += 1
  return {
    ...{ id, account: id.slice(0, 1), network: id.slice(0, 1), videoId: `video of ${id}`, artistName: id },
    ...{ durationMs: 4 * MINUTE_MS, requestedAtMs, isPinned: false, rank: UNRANKED },
    ...fields,
  }
}

it('requests are in the order of turns: an account is next when others had as many minutes', () => {
  const requests = ['a1', 'a2', 'b1', 'a3', 'c1'].map((id) => requestOf(id))
  const { queue, moved } = rankQueue({ ...NOTHING_CHARGED, requests, cast: [] })
  expect(queue.requests.map(({ id }) => id)).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
  expect(moved).toEqual([
    { id: 'a1', rank: 0 },
    { id: 'a2', rank: 3 },
    { id: 'b1', rank: 1 },
    { id: 'a3', rank: 4 },
    { id: 'c1', rank: 2 },
  ])
})

it('a pinned request is before all others, and places that are stored already are not stored again', () => {
  const requests = [
    requestOf('b1', { isPinned: true, rank: 0 }),
    requestOf('a1', { rank: 1 }),
    requestOf('a2'),
  ]
  const { queue, moved } = rankQueue({ ...NOTHING_CHARGED, requests, cast: [] })
  expect(queue.requests.map(({ id, isPinned }) => [id, isPinned])).toEqual([
    ['b1', true],
    ['a1', false],
    ['a2', false],
  ])
  expect(moved).toEqual([{ id: 'a2', rank: 2 }])
})

it('an excluded request is not in the queue, loses its place, and gives its account no turn', () => {
  const requests = [requestOf('a1', { rank: 0 }), requestOf('b1', { rank: 1 }), requestOf('b2', { rank: 2 })]
  const excluded = new Set(['a1'])
  const { queue, body, moved } = rankQueue({ ...NOTHING_CHARGED, requests, excluded, cast: [] })
  expect(queue.requests.map(({ id }) => id)).toEqual(['b1', 'b2'])
  expect(queue.turns).toEqual([{ load: 0, approved: [0, 1] }])
  expect(body.requests.map(({ id }) => id)).toEqual(['b1', 'b2'])
  expect(moved).toEqual([
    { id: 'a1', rank: UNRANKED },
    { id: 'b1', rank: 0 },
    { id: 'b2', rank: 1 },
  ])
})

it('ballots name requests by their place and no account, and five accounts of a network count', () => {
  const requests = [requestOf('a1'), requestOf('b1')]
  const cast = ['v', 'w', 'x', 'y', 'z', 'late'].map((account, sinceMs) => ({
    ...{ account, sinceMs, network: 'one', approved: ['b1'] },
  }))
  const { queue } = rankQueue({ ...NOTHING_CHARGED, requests, cast })
  expect(queue.turns).toEqual([
    { load: 0, approved: [0] },
    { load: 0, approved: [1] },
  ])
  expect(queue.votes).toEqual(Array.from({ length: 5 }, () => ({ load: 0, approved: [1] })))
})

it('of many requests the first ones of each currency are in the queue, and others have no place', () => {
  const requests = Array.from({ length: 3 * MAX_QUEUED }, (_, index) =>
    requestOf(`r${index}`, { account: `account ${index}`, network: `network ${index}` }),
  )
  const last = `r${3 * MAX_QUEUED - 1}`
  const { queue, moved } = rankQueue({
    ...NOTHING_CHARGED,
    requests,
    cast: [{ account: 'v', network: 'v', sinceMs: 0, approved: [last] }],
  })
  expect(queue.requests).toHaveLength(MAX_QUEUED + 1)
  expect(queue.requests.at(-1)?.id).toBe(last)
  expect(queue.turns).toHaveLength(MAX_QUEUED + 1)
  expect(moved).toHaveLength(MAX_QUEUED)
})
