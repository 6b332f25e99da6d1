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
] as const satisfies readonly (keyof AuditEntry)[]

/** What a table program would take for a formula (OWASP, "CSV Injection"). */
const FORMULA = /^[=+\-@\t\r]/

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

/** Entries as CSV (RFC 4180) under a line of names, in UTF-8 with a mark that table programs look for. */
export async function* toCsv(pages: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield `\uFEFF${COLUMNS.join(',')}\r\n`
  for await (const page of pages) {
    yield page.map((entry) => `${COLUMNS.map((column) => cell(entry[column])).join(',')}\r\n`).join('')
  }
}

/** Entries as one JSON list, a line for each. */
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
