import type { Envelope } from '@looptide/contracts/events'
import type { Transaction } from 'kysely'
import { type AnyTables, type DeletionHooks, deleteUserRows, deletionSteps } from '../db/tables.ts'
import type { EventHandlers } from './stream-consumer.ts'

const EVENT = 'auth.user.deleted.v1'

/** The transaction of the deletion, and the event that the account was deleted. */
type HookArgs<Database> = [trx: Transaction<Database>, envelope: Envelope<typeof EVENT>]

/** The tables that a handler of the event deletes from. */
const tablesOf = new WeakMap<object, AnyTables>()

/** The handler of `auth.user.deleted.v1`: does what `tables` say of the rows of a deleted account. */
export function deleteWithAccount<Database, T extends AnyTables>(
  tables: T,
  hooks: DeletionHooks<T, HookArgs<Database>>,
): (...args: HookArgs<Database>) => Promise<void> {
  const handler = (...args: HookArgs<Database>): Promise<void> =>
    deleteUserRows(args[0], tables, [args[1].data.userId], hooks, ...args)
  tablesOf.set(handler, tables)
  return handler
}

/**
 * Throws unless the service does what its tables say of deleted accounts. Auth, whose event it is, does it in the
 * transaction of the deletion.
 */
export function requireDeletion<Context>(
  service: string,
  tables: AnyTables,
  handlers: EventHandlers<Context>,
): void {
  if (EVENT.startsWith(`${service}.`) || deletionSteps(tables).length === 0) return
  const handler = handlers[EVENT]
  if (handler !== undefined && tablesOf.get(handler) === tables) return
  throw new Error(
    `services/${service}/src/db/tables.ts says what is deleted with an account: let deleteWithAccount(tables, …) ` +
      `handle ${EVENT} in services/${service}/src/app.ts, and name ${service} among the event's consumers in ` +
      'packages/contracts/src/events/auth.ts.',
  )
}
