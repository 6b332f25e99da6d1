import { REACTION_STEP_MS } from '@looptide/contracts/http/airing-details'
import { REACTIONS, type ReactionCounts } from '@looptide/contracts/realtime'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { paceOf, sumOf } from './reaction-sums.ts'

const START_MS = 1_800_000_000_000
const counts = fc.dictionary(fc.constantFrom(...REACTIONS), fc.integer({ min: 1, max: 50 }))
const gateway = fc.record({
  beganAtMs: fc.integer({ min: START_MS - 5000, max: START_MS + 600_000 }),
  added: fc.array(fc.tuple(fc.integer({ min: 0, max: 359 }), counts), { maxLength: 20 }),
})

/** What a gateway stores, whose numbers grow with each step. */
function storedOf({ beganAtMs, added }: { beganAtMs: number; added: [number, ReactionCounts][] }) {
  const pace: Record<string, ReactionCounts> = {}
  let total: ReactionCounts = {}
  for (const [step, more] of added.toSorted(([a], [b]) => a - b)) {
    total = sumOf([total, more])
    pace[step] = total
  }
  return { beganAtMs, pace, total }
}

it('the steps of an airing are in order, and their sum is that of the last numbers of all gateways', () => {
  fc.assert(
    fc.property(fc.array(gateway, { maxLength: 4 }), (gateways) => {
      const stored = gateways.map(storedOf)
      const steps = paceOf(START_MS, stored)
      expect(sumOf(steps.map((step) => step.counts))).toEqual(sumOf(stored.map(({ total }) => total)))
      const times = steps.map(({ afterMs }) => afterMs)
      expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b))
      expect(times.every((ms) => ms > 0 && ms % REACTION_STEP_MS === 0)).toBe(true)
    }),
  )
})

it('a reaction is in the step of its time', () => {
  const pace = { 0: { '❤️': 2 }, 3: { '❤️': 2, '🔥': 1 } } as const
  expect(paceOf(START_MS, [{ beganAtMs: START_MS + 12_000, pace }])).toEqual([
    { afterMs: 20_000, counts: { '❤️': 2 } },
    { afterMs: 50_000, counts: { '🔥': 1 } },
  ])
})
