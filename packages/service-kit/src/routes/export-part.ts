import type { ExportQuery } from '@looptide/contracts/http/exports'
import type { Operation, OutputOf } from '@looptide/contracts/operation'
import type { Kysely } from 'kysely'
import type { Db } from '../db/db.ts'
import { requireFreshFactor } from '../identity/request-user.ts'
import { Call, type Route } from './route.ts'

const PREFIX = 'GET /api/export/'

/** An operation that returns the caller's own rows in pages. */
type ExportOperation = Operation & {
  readonly call: `${typeof PREFIX}${string}`
  readonly audience: 'user'
  readonly input: { readonly query: typeof ExportQuery }
}

type ReadPage<Database, Page> = (db: Db<Database>, userId: string, cursor?: string) => Promise<Page>

/** A part of the export of what a service keeps of a user. */
export interface ExportPart<Database> {
  /** The end of its path. */
  readonly name: string
  readonly read: ReadPage<Database, { items: readonly unknown[]; nextCursor: string | null }>
  /** The route that returns the caller's pages. Users with a second factor need a fresh one. */
  route(db: Kysely<Database>): Route
}

/** Binds the function that reads a page of a part to the part's operation. */
export const exportPart = <
  Database,
  O extends ExportOperation,
  Page extends OutputOf<O, 200> & { items: readonly unknown[]; nextCursor: string | null },
>(
  operation: O,
  read: ReadPage<Database, Page>,
): ExportPart<Database> => ({
  name: operation.call.slice(PREFIX.length),
  read,
  route: (db) => ({
    operation,
    hooks: {},
    handle: (request, reply) => {
      requireFreshFactor(request)
      const { user, query } = new Call<ExportOperation>(request, reply)
      return read(db, user.id, query.cursor)
    },
  }),
})
