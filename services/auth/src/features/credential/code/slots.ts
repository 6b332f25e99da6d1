import type { Slot } from '../../../db/schema.ts'

/** Slots by the `type` of a mailed link. Types of one slot are interchangeable (docs/protocols/auth.md, "One-time tokens"). */
const SLOTS: ReadonlyMap<string, readonly Slot[]> = new Map<string, readonly Slot[]>([
  ['signup', ['confirmation']],
  ['invite', ['confirmation']],
  ['magiclink', ['recovery']],
  ['recovery', ['recovery']],
  ['email', ['confirmation', 'recovery']],
  ['email_change', ['email_change_current', 'email_change_new']],
])

/** The slots of a type; undefined for an unknown type. */
export const slotsOf = (type: string): readonly Slot[] | undefined => SLOTS.get(type)
