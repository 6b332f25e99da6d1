import { seededRandom } from '@looptide/playhead/random'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Currency } from './ranking.ts'
import { rank } from './ranking.ts'
import { canonicalJson, digestOf, type Receipt, receiptOf } from './receipt.ts'
import { recompute } from './recompute.ts'
import { evenings } from './testing/config.ts'
import { requestOf } from './testing/vote-slot.ts'

const KEY = new Uint8Array(32).fill(7)

/** The receipt of a random decision, in which rules forbid the requests before the winner. */
function exampleReceipt(seed: number, currency: Currency, key: Uint8Array = KEY): Receipt {
  const random = seededRandom(seed)
  const requests = Array.from({ length: 6 }, (_, index) => requestOf(`r${index}`, Math.floor(random() * 3)))
  const ballots = Array.from({ length: 5 }, (_, index) => ({
    account: `account ${index}`,
    load: Math.floor((random() - 0.5) * 1e10),
    approved: requests
      .filter((_request, place) =>
        currency === 'turn' ? place % 5 === index : random() < 0.4 || place === index,
      )
      .map(({ id }) => id),
  }))
  const order = rank(currency, ballots, requests)
  const gone = Math.floor(random() * 3)
  const winner = requests.find(({ id }) => id === order[gone])
  if (winner === undefined) throw new Error('every request has a ballot')
  const passedOver = order.slice(0, gone).map((request) => ({ request, rule: 'artistSeparation' }))
  return receiptOf(
    { currency, decidedAtMs: 1e12, isConsistent: true, ballots, requests, passedOver, winner },
    key,
  )
}

const receipts = fc
  .record({ seed: fc.integer(), currency: fc.constantFrom<Currency>('turn', 'vote') })
  .map(({ seed, currency }) => exampleReceipt(seed, currency))

/** All paths to values that are no objects. */
function leavesOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]))
}

/** A copy in which the value at `path` is another one of its kind. */
function changedAt(receipt: Receipt, path: readonly (string | number)[]): unknown {
  const change = (value: unknown, [key, ...rest]: readonly (string | number)[]): unknown => {
    if (key === undefined) {
      if (typeof value === 'number') return value + 1
      if (typeof value === 'boolean') return !value
      const text = String(value)
      return `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`
    }
    if (Array.isArray(value))
      return value.map((one, index) => (index === Number(key) ? change(one, rest) : one))
    return { ...Object(value), [key]: change(Object(value)[key], rest) }
  }
  return change(receipt, path)
}

describe('a receipt', () => {
  test('is correct as issued, also after it was sent as JSON', () => {
    fc.assert(
      fc.property(receipts, (receipt) => {
        expect(recompute(JSON.parse(JSON.stringify(receipt)))).toEqual({ isCorrect: true, receipt })
      }),
      evenings(100),
    )
  })

  test('is wrong after a change of any value, and after the loss of any list item', () => {
    fc.assert(
      fc.property(receipts, fc.nat(), fc.nat(), (receipt, pick, item) => {
        const leaves = leavesOf(receipt)
        const path = leaves[pick % leaves.length] ?? []
        expect(recompute(changedAt(receipt, path))).toMatchObject({ isCorrect: false })
        const lists = (
          ['requests', 'ballots', 'loadsBefore', 'loadsAfter', 'passedOver', 'order'] as const
        ).filter((name) => receipt[name].length > 0)
        const name = lists[pick % lists.length] ?? 'order'
        const shorter = { ...receipt, [name]: receipt[name].toSpliced(item % receipt[name].length, 1) }
        expect(recompute(shorter)).toMatchObject({ isCorrect: false })
      }),
      evenings(300),
    )
  })

  test('with another winner, order or load is wrong even with a digest of its own', () => {
    const receipt = exampleReceipt(3, 'vote')
    const forged = (change: Partial<Receipt>) => {
      const content = { ...receipt, ...change }
      return recompute({ ...content, digest: digestOf(content) })
    }
    const [first = '', second = ''] = receipt.order
    expect(forged({ winner: receipt.order.at(-1) })).toEqual({
      isCorrect: false,
      fault: 'winner',
      reason: `The winner is ${receipt.order.at(-1)}, but the ballots give ${receipt.winner}.`,
    })
    expect(forged({ order: [second, first, ...receipt.order.slice(2)] })).toEqual({
      isCorrect: false,
      fault: 'order',
      reason: `Place 1 of the order is ${second}, but the ballots give ${first}.`,
    })
    const [load = 0, ...loads] = receipt.loadsAfter
    expect(forged({ loadsAfter: [load - 1, ...loads] })).toEqual({
      isCorrect: false,
      fault: 'loads',
      reason: `The load of ${receipt.ballots[0]?.voter} afterwards is ${load - 1}, but must be ${load}.`,
    })
    expect(forged({ passedOver: [{ request: second, rule: 'none' }] })).toMatchObject({ fault: 'winner' })
    expect(forged({ ballots: receipt.ballots.slice(1) })).toMatchObject({ fault: 'content' })
    expect(forged({ requests: receipt.requests.slice(1) })).toMatchObject({ fault: 'content' })
  })

  test('has pseudonyms of its own', () => {
    const voters = (key: Uint8Array) => exampleReceipt(1, 'vote', key).ballots.map(({ voter }) => voter)
    const other = new Set(voters(new Uint8Array(32).fill(8)))
    expect(voters(KEY).filter((voter) => other.has(voter))).toEqual([])
    expect(new Set(voters(KEY)).size).toBe(5)
  })

  test.each([
    [null, 'the receipt is not an object.'],
    [{ ...exampleReceipt(1, 'vote'), currency: 'money' }, 'currency is not turn or vote.'],
    [{ ...exampleReceipt(1, 'vote'), isConsistent: 'yes' }, 'isConsistent is not true or false.'],
    [{ ...exampleReceipt(1, 'vote'), loadsBefore: [0.5] }, 'loadsBefore[0] is not an integer.'],
    [{ ...exampleReceipt(1, 'vote'), order: [''] }, 'order[0] is not a text of 1 to 200 characters.'],
    [{ ...exampleReceipt(1, 'vote'), extra: 1 }, 'extra is unknown.'],
    [
      { ...exampleReceipt(1, 'vote'), ballots: [{ voter: 'me', approved: [] }] },
      'ballots[0].voter is not a pseudonym.',
    ],
  ])('of another form is refused with the place of the fault', (value, reason) => {
    expect(recompute(value)).toEqual({ isCorrect: false, fault: 'form', reason })
  })
})

test('canonical JSON does not depend on the order of keys', () => {
  expect(canonicalJson({ b: [1, { d: 'x', c: null }], a: undefined, A: true })).toBe(
    '{"A":true,"b":[1,{"c":null,"d":"x"}]}',
  )
})
