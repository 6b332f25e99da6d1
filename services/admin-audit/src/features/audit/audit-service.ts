import type { AuditActions, AuditPage, AuditQuery } from '@looptide/contracts/http/admin'
import { decodeCursor, toPage } from '@looptide/service-kit/cursor'
import { AppError } from '@looptide/service-kit/errors'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { AdminAuditDb } from '../../db/schema.ts'
import { listActions, listLines } from './audit-repository.ts'
import { presentEntry } from './present-entry.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The log of what admins did and what was refused. */
export class AuditService {
  readonly #db: Kysely<AdminAuditDb>

  constructor(db: Kysely<AdminAuditDb>) {
    this.#db = db
  }

  /** A page, newest first. `invalid_cursor` for a cursor that no page answered. */
  async list(query: Static<typeof AuditQuery>): Promise<AuditPage> {
    const { cursor, since, until, limit = 100, ...equal } = query
    const rows = await listLines(this.#db, {
      ...equal,
      ...(since === undefined ? {} : { since: new Date(since) }),
      ...(until === undefined ? {} : { until: new Date(until) }),
      ...(cursor === undefined ? {} : { after: toPlace(cursor) }),
      limit: limit + 1,
    })
    return toPage(rows, limit, presentEntry, (row) => [row.createdAt.toISOString(), row.id])
  }

  /** What the log can be filtered by: its actions, by name. */
  async actions(): Promise<AuditActions> {
    return { items: await listActions(this.#db) }
  }
}

function toPlace(cursor: string): { createdAt: Date; id: string } {
  const [instant, id] = decodeCursor(cursor, ['string', 'string'])
  const createdAt = new Date(instant)
  if (Number.isNaN(createdAt.getTime()) || !UUID.test(id)) {
    throw new AppError('invalid_cursor', 'The cursor is invalid.')
  }
  return { createdAt, id }
}
