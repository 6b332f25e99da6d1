import { faultOfForm, isReceipt } from './parse-receipt.ts'
import { loadsAfter, rank } from './ranking.ts'
import { digestOf, type Receipt } from './receipt.ts'

/** Where a receipt contradicts itself. */
type ReceiptFault = 'form' | 'digest' | 'content' | 'order' | 'winner' | 'loads'

export type Recomputed =
  | { isCorrect: true; receipt: Receipt }
  | { isCorrect: false; fault: ReceiptFault; reason: string }

/**
 * Decides again from the ballots of a receipt, and compares. It proves that the winner follows from the ballots, the
 * loads and the requests that rules forbade. That these are the true ones, the digest proves only if it was published before.
 */
export function recompute(value: unknown): Recomputed {
  if (!isReceipt(value)) return wrong('form', `${faultOfForm(value)}.`)
  const digest = digestOf(value)
  if (digest !== value.digest)
    return wrong(
      'digest',
      `The digest of the content is ${digest}, not ${value.digest}: a field was changed.`,
    )
  const content = faultOfContent(value)
  if (content !== undefined) return wrong('content', content)
  return compare(value) ?? { isCorrect: true, receipt: value }
}

const wrong = (fault: ReceiptFault, reason: string) => ({ isCorrect: false, fault, reason }) as const

/** What is contradictory before anything is computed. */
function faultOfContent(receipt: Receipt): string | undefined {
  const { requests, ballots, loadsBefore, loadsAfter: after } = receipt
  if (loadsBefore.length !== ballots.length || after.length !== ballots.length)
    return `There are ${ballots.length} ballots, ${loadsBefore.length} loads before and ${after.length} after.`
  const twice =
    firstUnordered(requests.map(({ id }) => id)) ?? firstUnordered(ballots.map(({ voter }) => voter))
  if (twice !== undefined) return `${twice} is listed twice, or not in order.`
  const known = new Set(requests.map(({ id }) => id))
  for (const { voter, approved } of ballots) {
    const unordered = firstUnordered(approved)
    if (unordered !== undefined) return `${voter} approves ${unordered} twice, or not in order.`
    const unknown = approved.find((id) => !known.has(id))
    if (unknown !== undefined) return `${voter} approves ${unknown}, which does not wait.`
  }
  return undefined
}

const firstUnordered = (ids: readonly string[]): string | undefined =>
  ids.find((id, index) => index > 0 && id <= (ids[index - 1] ?? ''))

function compare(receipt: Receipt): ReturnType<typeof wrong> | undefined {
  const { currency, requests, passedOver, winner } = receipt
  const ballots = receipt.ballots.map(({ approved }, index) => ({
    approved,
    load: receipt.loadsBefore[index] ?? 0,
  }))
  const order = rank(currency, ballots, requests)
  const place = firstDifference(order, receipt.order)
  if (place !== undefined)
    return wrong(
      'order',
      `Place ${place + 1} of the order is ${receipt.order[place] ?? 'missing'}, but the ballots give ${order[place] ?? 'nobody'}.`,
    )
  const gone = firstDifference(
    order.slice(0, passedOver.length),
    passedOver.map(({ request }) => request),
  )
  if (gone !== undefined)
    return wrong(
      'winner',
      `${passedOver[gone]?.request} was passed over, but ${order[gone] ?? 'nobody'} is at place ${gone + 1}.`,
    )
  const [best] = order.slice(passedOver.length)
  const request = requests.find(({ id }) => id === best)
  if (best !== winner || request === undefined)
    return wrong('winner', `The winner is ${winner}, but the ballots give ${best ?? 'nobody'}.`)
  const loads = loadsAfter(currency, ballots, request)
  const voter = firstDifference(loads, receipt.loadsAfter)
  if (voter !== undefined)
    return wrong(
      'loads',
      `The load of ${receipt.ballots[voter]?.voter} afterwards is ${receipt.loadsAfter[voter]}, but must be ${loads[voter]}.`,
    )
  return undefined
}

/** The first index at which two lists differ. */
function firstDifference<T>(a: readonly T[], b: readonly T[]): number | undefined {
  const length = Math.max(a.length, b.length)
  for (let index = 0; index < length; index += 1) if (a[index] !== b[index]) return index
  return undefined
}
