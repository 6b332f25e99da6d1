import { csvLine } from '@looptide/contracts/csv'
import { AUDIT_EXPORT_MAX_LINES, type AuditEntry, type AuditExportBody } from '@looptide/contracts/http/admin'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { type AuditFilter, countEntries, listEntries } from './audit-repository.ts'
import { presentEntry } from './present-entry.ts'

const COLUMNS = [
  'createdAt',
  'adminUserId',
  'action',
  'targetType',
  'targetId',
  'targetUserId',
  'details',
  'before',
  'after',
  'id',
  'isPseudonymised',
] as const satisfies readonly (keyof AuditEntry)[]

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Entries as CSV (RFC 4180) with a header, in UTF-8 with a byte order mark for spreadsheet programs. */
async function* toCsv(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(COLUMNS)}`
  for await (const page of pages) {
    yield page.map((entry) => csvLine(COLUMNS.map((column) => textOf(entry[column])))).join('')
  }
}

/** Entries as one JSON array, one entry per line. */
async function* toJson(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield '['
  let separator = '\n'
  for await (const page of pages) {
    for (const entry of page) {
      yield separator + JSON.stringify(entry)
      separator = ',\n'
    }
  }
  yield '\n]\n'
}

/** Entries read at a time. */
const PAGE_SIZE = 500

/** Exports the log as a file. Entries are streamed in pages, so memory use is constant. */
export class AuditExport {
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /** Audits the export and returns the file's text as a stream. `isTruncated`: more entries match than are exported. */
  async start(
    body: AuditExportBody,
    cause: Cause,
  ): Promise<{ text: AsyncIterable<string>; isTruncated: boolean }> {
    const { format, since, until, ...equal } = body
    const filter = {
      ...equal,
      ...(since === undefined ? {} : { since: new Date(since) }),
      // Excludes entries from now on, such as the entry of this export.
      until: until === undefined ? new Date() : new Date(until),
    }
    const matches = await countEntries(this.#db, { ...filter, limit: AUDIT_EXPORT_MAX_LINES + 1 })
    const isTruncated = matches > AUDIT_EXPORT_MAX_LINES
    const details = { ...body, lines: Math.min(matches, AUDIT_EXPORT_MAX_LINES) }
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
    return { text: format === 'csv' ? toCsv(pages) : toJson(pages), isTruncated }
  }

  async *#pages(filter: Omit<AuditFilter, 'limit' | 'after'>): AsyncGenerator<AuditEntry[]> {
    let after: AuditFilter['after']
    let remaining = AUDIT_EXPORT_MAX_LINES
    while (remaining > 0) {
      const limit = Math.min(PAGE_SIZE, remaining)
      const rows = await listEntries(this.#db, { ...filter, ...(after && { after }), limit })
      if (rows.length > 0) yield rows.map(presentEntry)
      after = rows.at(-1)
      if (rows.length < limit) return
      remaining -= rows.length
    }
  }
}
