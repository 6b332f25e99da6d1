import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitQueue } from './queue-parts.ts'

const ballots = fc.array(
  fc.record({ load: fc.integer(), approved: fc.array(fc.nat({ max: 2000 }), { maxLength: 20 }) }),
  { maxLength: 60 },
)
const queues = fc.record({
  requests: fc.array(
    fc.record({
      id: fc.uuid(),
      videoId: fc.uuid(),
      durationMs: fc.integer({ min: 1 }),
      requestedAtMs: fc.nat(),
      isPinned: fc.boolean(),
    }),
    { maxLength: 30 },
  ),
  turns: ballots,
  votes: ballots,
})

it('the parts of a queue, one after the other, are the queue, and none is longer than the limit', () => {
  fc.assert(
    fc.property(queues, fc.integer({ min: 300, max: 3000 }), (queue, partBytes) => {
      const parts = splitQueue(queue, partBytes)
      expect({
        requests: parts.flatMap(({ requests }) => requests),
        turns: parts.flatMap(({ turns }) => turns),
        votes: parts.flatMap(({ votes }) => votes),
      }).toEqual(queue)
      const emptyBytes = JSON.stringify({ requests: [], turns: [], votes: [] }).length
      for (const part of parts)
        expect(JSON.stringify(part).length).toBeLessThanOrEqual(partBytes + emptyBytes)
    }),
  )
})
