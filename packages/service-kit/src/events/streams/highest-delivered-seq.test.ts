import { expect, it } from 'vitest'
import type { JetStreamManager } from '../nats-client.ts'
import { highestDeliveredSeq } from './highest-delivered-seq.ts'

/** Only a power cut makes NATS report such numbers, so its answers are given here. */
const managerWith = (...deliveredSeqs: number[]): JetStreamManager =>
  ({
    consumers: {
      list: async function* () {
        for (const stream_seq of deliveredSeqs) yield { delivered: { stream_seq } }
      },
    },
  }) as unknown as JetStreamManager

it('is the highest of all consumers', async () => {
  expect(await highestDeliveredSeq(managerWith(7, 12, 3), 'CHAT')).toBe(12)
})

it('is 0 without consumers', async () => {
  expect(await highestDeliveredSeq(managerWith(), 'CHAT')).toBe(0)
})

it('counts a consumer whose sequence has underflowed as one that received nothing', async () => {
  expect(await highestDeliveredSeq(managerWith(2 ** 64 - 1, 5), 'CHAT')).toBe(5)
})
