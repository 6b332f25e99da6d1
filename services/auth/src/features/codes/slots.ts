import type { Slot } from '../../db/schema.ts'

/** What a mailed link says it is for. Types of one slot are interchangeable (docs/protocols/auth.md §2.7). */
const SLOTS: ReadonlyMap<string, readonly Slot[]> = new Map<string, readonly Slot[]>([
  ['signup', ['confirmation']],
  ['invite', ['confirmation']],
  ['magiclink', ['recovery']],
  ['recovery', ['recovery']],
  ['email', ['confirmation', 'recovery']],
  ['email_change', ['email_change_current', 'email_change_new']],
])

/** The slots a type stands for; undefined for one we do not know. */
export const slotsOf = (type: string): readonly Slot[] | undefined => SLOTS.get(type)
