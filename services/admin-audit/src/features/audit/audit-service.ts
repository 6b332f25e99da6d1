import { ADMIN_ACTIONS, type AuditAction } from '@looptide/contracts/audit-actions'
import type {
  AuditActions,
  AuditPage,
  AuditQuery,
  LastEditor,
  LastEditorQuery,
} from '@looptide/contracts/http/admin'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { AppError } from '@looptide/service-kit/http/errors'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import { findChainHead, findLastEditor, listActions, listEntries } from './audit-repository.ts'
import { presentEntry } from './present-entry.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const actionsOf = (subject: string): AuditAction[] =>
  ADMIN_ACTIONS.filter((action) => action.startsWith(`${subject}.`))

/** The actions that change what several users edit. Those of many videos at once name none. */
const EDITS: Record<LastEditorQuery['subject'], readonly AuditAction[]> = {
  home: actionsOf('home'),
  playlist: actionsOf('playlist'),
  video: ['video.edit'],
}
/** Within this time no entry is pseudonymised. */
const EDITOR_KNOWN_MS = 30 * 86_400_000

/** Reads the audit log: actions of admins and refused attempts. */
export class AuditService {
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /** A page of entries, newest first. Throws `invalid_cursor` for a forged cursor. */
  async list(query: Static<typeof AuditQuery>): Promise<AuditPage> {
    const { cursor, since, until, limit = 100, ...equal } = query
    const rows = await listEntries(this.#db, {
      ...equal,
      ...(since === undefined ? {} : { since: new Date(since) }),
      ...(until === undefined ? {} : { until: new Date(until) }),
      ...(cursor === undefined ? {} : { after: toSortKey(cursor) }),
      limit: limit + 1,
    })
    return toPage(rows, limit, presentEntry, (row) => [row.createdAt.toISOString(), row.id])
  }

  /** The distinct actions of the log, by which it can be filtered. */
  async actions(): Promise<AuditActions> {
    return { items: await listActions(this.#db) }
  }

  /** The user who made the last recorded change of the subject, for users who do not read the log. */
  async lastEditor({ subject, targetId }: LastEditorQuery): Promise<LastEditor> {
    const since = new Date(Date.now() - EDITOR_KNOWN_MS)
    const userId = await findLastEditor(this.#db, { actions: EDITS[subject], targetId, since })
    return { userId: userId ?? null }
  }
}

function toSortKey(cursor: string): { createdAt: Date; id: string } {
  const [instant, id] = decodeCursor(cursor, ['string', 'string'])
  const createdAt = new Date(instant)
  if (Number.isNaN(createdAt.getTime()) || !UUID.test(id)) {
    throw new AppError('invalid_cursor', 'The cursor is invalid.')
  }
  return { createdAt, id }
}

const LOG_EVERY_MS = 3_600_000

/**
 * Writes the head of the chain to the process's log at start and every hour. A copy of this line that the database's
 * administrator cannot change is an anchor: with it, `looptide audit verify --expect` detects a truncated log.
 */
export const chainHeadLogger = (db: Kysely<Database>, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: LOG_EVERY_MS,
    atStart: true,
    failure: 'audit chain head unknown',
    run: async () => {
      const { seq, hash } = await findChainHead(db)
      logger.info({ anchor: `${seq}:${hash}` }, 'audit chain head')
    },
  })
