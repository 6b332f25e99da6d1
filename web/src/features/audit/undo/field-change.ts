import type { AuditEntry } from '@looptide/contracts/http/admin'
import { type Facts, factsIn } from '../audit-facts.ts'

type States = Pick<AuditEntry, 'before' | 'after'>

/** The values of the changed fields, before and after. */
interface FieldChange {
  before: Facts
  after: Facts
}

/** JSON with sorted keys: the order of keys differs between what services store and send. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'null'

/** Whether `facts` have all `values`. A missing field equals null. */
export const hasValues = (facts: object, values: Facts): boolean => {
  const known = new Map<string, unknown>(Object.entries(facts))
  return Object.entries(values).every(
    ([name, value]) => textOf(known.get(name) ?? null) === textOf(value ?? null),
  )
}

/** The part of a recorded change that concerns these fields; undefined if it has changed none of them. */
export function fieldChange(entry: States, fields: readonly string[]): FieldChange | undefined {
  const [before, after] = [factsIn(entry.before), factsIn(entry.after)]
  const changed = fields.filter(
    (name) => name in before && name in after && textOf(before[name]) !== textOf(after[name]),
  )
  if (changed.length === 0) return undefined
  const pick = (from: Facts) => Object.fromEntries(changed.map((name) => [name, from[name]]))
  return { before: pick(before), after: pick(after) }
}

/** Whether another recorded change has changed these fields back. */
export const isReverse = (change: FieldChange, other: States): boolean =>
  hasValues(factsIn(other.before), change.after) && hasValues(factsIn(other.after), change.before)
