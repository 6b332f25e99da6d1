import type { AuditEntry } from '@looptide/contracts/http/admin'
import type { allPages, allVersionedPages } from '../../../lib/api/all-pages.ts'
import type { api } from '../../../lib/clients.ts'
import { type Facts, factsIn } from '../audit-facts.ts'
import { fieldChange, hasValues, isReverse } from './field-change.ts'

/** What sends the operations. Passed in, because the rules are also read where there is no browser. */
export interface Client {
  api: typeof api
  allPages: typeof allPages
  allVersionedPages: typeof allVersionedPages
}

/** How the change of an audit entry is undone. */
export interface Undo {
  /** Whether these later entries say that it was undone. */
  isDone: (later: readonly AuditEntry[]) => boolean
  /**
   * Sends the inverse operation, which is checked, audited and pushed as any other. Resolves to false, and changes
   * nothing, if what the entry is about has changed since. Throws ApiError; `not_found` and `precondition_failed` mean
   * the same as false.
   */
  send: (client: Client) => Promise<boolean>
}

/** The undo of an entry of one action; undefined if this entry lacks what is needed. */
export type UndoRule = (entry: AuditEntry & { targetId: string }) => Undo | undefined

/**
 * A change of fields: writes the values from before, if the fields still have those from after. `read` resolves to the
 * present values of the target and, if it has one, their version.
 */
export const fields =
  (rule: {
    names: readonly string[]
    read: (client: Client, id: string) => Promise<{ current: object | undefined; etag?: string }>
    write: (
      client: Client,
      id: string,
      before: Facts,
      present: { current: object; etag: string | undefined },
    ) => Promise<unknown>
  }): UndoRule =>
  (entry) => {
    const change = fieldChange(entry, rule.names)
    if (change === undefined) return undefined
    const { action, targetId } = entry
    return {
      isDone: (later) =>
        later.some(
          (other) =>
            other.action === action &&
            (other.targetId === targetId || STATION_WIDE.has(action)) &&
            isReverse(change, other),
        ),
      send: async (client) => {
        const { current, etag } = await rule.read(client, targetId)
        if (current === undefined || !hasValues(current, change.after)) return false
        await rule.write(client, targetId, change.before, { current, etag })
        return true
      },
    }
  }

/** Actions on something of which the station has one. Their entries have no target, or the id of a version. */
const STATION_WIDE = new Set(['theme.activate', 'embeds.update'])

/** The item with this id as the present state of a target. */
export const findById = async <T extends { id: string }>(items: Promise<readonly T[]>, id: string) => ({
  current: (await items).find((item) => item.id === id),
})

/** Whether two recorded states have the same values of these fields, such as of a thing that was added again. */
export const same = (one: unknown, other: unknown, names: readonly string[]): boolean =>
  hasValues(factsIn(one), Object.fromEntries(names.map((name) => [name, factsIn(other)[name]])))
