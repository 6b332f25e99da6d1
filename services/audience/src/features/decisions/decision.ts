import type { Currency } from '@looptide/fairness/ranking'
import type { Decided } from './charge.ts'

/** A decision that an event names. */
export interface NamedDecision {
  requestId: string
  sequence: number
  currency: Currency
  /** Epoch ms. */
  startsAtMs: number
}

/** A decision with what it was taken with. */
export interface Decision extends NamedDecision {
  /** Epoch ms. */
  decidedAtMs: number
  /** What had been decided with the same queue before, in the order of starts. Stays as it was, also if one is undone later. */
  earlier: readonly Decided[]
}

/** Whether a stored decision is the one that is named. Its start may have moved. */
export const isNamed = (stored: NamedDecision | undefined, { sequence, currency }: NamedDecision): boolean =>
  stored?.sequence === sequence && stored.currency === currency

/**
 * The decision that is named: the stored one of its request, or one that is taken now. That one knows the `others` of the
 * channel that have been decided with the same queue and start before it, as the planner does.
 */
export function takeDecision(
  { requestId, sequence, currency, startsAtMs }: NamedDecision,
  stored: Decision | undefined,
  others: readonly NamedDecision[],
  nowMs: number,
): Decision {
  const named = { requestId, sequence, currency, startsAtMs }
  if (stored !== undefined && isNamed(stored, named)) return { ...stored, startsAtMs }
  const earlier = others
    .filter((one) => one.sequence === sequence && one.startsAtMs < startsAtMs && one.requestId !== requestId)
    .map((one) => ({ requestId: one.requestId, currency: one.currency, startsAtMs: one.startsAtMs }))
    .toSorted((a, b) => a.startsAtMs - b.startsAtMs)
  return { ...named, decidedAtMs: nowMs, earlier }
}
