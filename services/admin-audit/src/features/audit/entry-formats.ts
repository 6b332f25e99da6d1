import { csvLine } from '@looptide/contracts/csv'
import type { AuditEntry } from '@looptide/contracts/http/admin'

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
export async function* toCsv(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(COLUMNS)}`
  for await (const page of pages) {
    yield page.map((entry) => csvLine(COLUMNS.map((column) => textOf(entry[column])))).join('')
  }
}

/** Entries as one JSON array, one entry per line. */
export async function* toJson(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
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
