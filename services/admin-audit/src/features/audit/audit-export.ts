import { AUDIT_EXPORT_MAX_LINES, type AuditEntry, type AuditExportBody } from '@looptide/contracts/http/admin'
import { appendAudit } from '@looptide/service-kit/audit'
import type { Cause } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { AdminAuditDb } from '../../db/schema.ts'
import { toCsv, toJson } from './audit-lines.ts'
import { type AuditFilter, countLines, listLines } from './audit-repository.ts'
import { presentEntry } from './present-entry.ts'

const PAGE = 500

/** The log as a file. What is held in memory does not grow with it. */
export class AuditExport {
  readonly #db: Kysely<AdminAuditDb>

  constructor(db: Kysely<AdminAuditDb>) {
    this.#db = db
  }

  /** Notes the export in the log, and answers the file's text piece by piece. */
  async begin(wish: AuditExportBody, cause: Cause): Promise<{ text: AsyncIterable<string>; isCut: boolean }> {
    const { format, since, until, ...equal } = wish
    const filter = {
      ...equal,
      ...(since === undefined ? {} : { since: new Date(since) }),
      // What happens from now on, this export first of all, is not in it.
      until: until === undefined ? new Date() : new Date(until),
    }
    const found = await countLines(this.#db, { ...filter, limit: AUDIT_EXPORT_MAX_LINES + 1 })
    const isCut = found > AUDIT_EXPORT_MAX_LINES
    const details = { ...wish, lines: Math.min(found, AUDIT_EXPORT_MAX_LINES) }
    await this.#db
      .transaction()
      .execute((trx) =>
        appendAudit(
          trx,
          'admin.audit.recorded.v1',
          { action: 'audit.export', targetType: 'audit_log', details },
          cause,
        ),
      )
    const pages = this.#pages(filter)
    return { text: format === 'csv' ? toCsv(pages) : toJson(pages), isCut }
  }

  async *#pages(filter: Omit<AuditFilter, 'limit' | 'after'>): AsyncGenerator<AuditEntry[]> {
    let after: AuditFilter['after']
    let left = AUDIT_EXPORT_MAX_LINES
    while (left > 0) {
      const limit = Math.min(PAGE, left)
      const rows = await listLines(this.#db, { ...filter, ...(after && { after }), limit })
      if (rows.length > 0) yield rows.map(presentEntry)
      after = rows.at(-1)
      if (rows.length < limit) return
      left -= rows.length
    }
  }
}
