import { expect, it } from 'vitest'
import { packBody, type QueueBody, unpackBody } from './queue-body.ts'

it('a queue is the same after it was stored', async () => {
  const body: QueueBody = {
    nowMs: 5,
    requests: ['a', 'b'].map((id, requestedAtMs) => ({
      ...{ id, account: `of ${id}`, network: 'n', durationMs: 1000, requestedAtMs, isPinned: id === 'b' },
    })),
    turns: {
      baseMs: 7,
      accounts: [{ account: 'of a', network: 'n', loadMs: 7, isWaiting: true, airings: [] }],
    },
    votes: [
      { account: 'v', load: -3, approved: ['b', 'a'] },
      { account: 'in debt', load: 3, approved: [] },
    ],
  }
  expect(await unpackBody(await packBody(body))).toEqual(body)
})
