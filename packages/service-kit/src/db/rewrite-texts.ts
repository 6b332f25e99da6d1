import { cleanLine, textKey } from '@looptide/contracts/text'
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** Rows that are read at once. */
const BATCH_ROWS = 100
/**
 * Class of SQL states of violated constraints: two names became equal, or a text longer than its column allows, because NFC
 * has two characters for some letters (UAX #15, composition exclusions).
 */
const INTEGRITY_VIOLATION = /^23/

/** The columns of a table that are rewritten, by name. A value that the function returns unchanged is not written. */
export interface TextsOfTable {
  table: string
  /** The columns of the primary key. */
  key: readonly string[]
  columns: Readonly<Record<string, (value: never) => unknown>>
}

type Row = Record<string, unknown>

/** Normalises tags. Of those with the same key the first one stays. */
export const normalTags = (texts: readonly string[]): string[] => {
  const keys = texts.map(textKey)
  return texts.map(cleanLine).filter((tag, index) => tag !== '' && keys.indexOf(textKey(tag)) === index)
}

/**
 * Rewrites texts outside ASCII, in the transaction of a bridge. A row whose new texts violate a constraint keeps its texts.
 * Safe to run again if the functions are idempotent.
 */
export async function rewriteTexts(trx: QueryExecutorProvider, texts: TextsOfTable): Promise<void> {
  const { table, key, columns } = texts
  const isOutsideAscii = Object.keys(columns).map(
    (name) => sql`octet_length(${sql.ref(name)}::text) <> length(${sql.ref(name)}::text)`,
  )
  let last: RawBuilder<unknown> | undefined
  for (;;) {
    const { rows } = await sql<Row>`
      select ${selected(texts)} from ${sql.table(table)}
      where (${sql.join(isOutsideAscii, sql` or `)}) ${last ? sql`and ${tuple(key.map((name) => sql.ref(name)))} > ${last}` : sql``}
      order by ${sql.join(key.map((name) => sql.ref(name)))} limit ${BATCH_ROWS}`.execute(trx)
    for (const row of rows) await rewriteRow(trx, row, texts)
    const end = rows.length === BATCH_ROWS ? rows.at(-1) : undefined
    if (end === undefined) return
    last = keyOf(end, texts)
  }
}

async function rewriteRow(trx: QueryExecutorProvider, row: Row, texts: TextsOfTable): Promise<void> {
  const changes = changesOf(row, texts)
  if (changes.length === 0) return
  const isRow = sql`${tuple(texts.key.map((name) => sql.ref(name)))} = ${keyOf(row, texts)}`
  await sql`savepoint rewritten_row`.execute(trx)
  try {
    await sql`update ${sql.table(texts.table)} set ${sql.join(changes)} where ${isRow}`.execute(trx)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!INTEGRITY_VIOLATION.test(code)) throw error
    await sql`rollback to savepoint rewritten_row`.execute(trx)
  }
  await sql`release savepoint rewritten_row`.execute(trx)
}

const tuple = (parts: readonly RawBuilder<unknown>[]) => sql`(${sql.join(parts)})`

/** The columns under names of their own, because those of the result depend on the plugins of `db`. */
const selected = ({ key, columns }: TextsOfTable) =>
  sql.join(
    [...key, ...Object.keys(columns)].map((name, index) => sql`${sql.ref(name)} as ${sql.ref(`c${index}`)}`),
  )

const keyOf = (row: Row, { key }: TextsOfTable) => tuple(key.map((_name, index) => sql`${row[`c${index}`]}`))

function changesOf(row: Row, { key, columns }: TextsOfTable): RawBuilder<unknown>[] {
  return Object.entries(columns).flatMap(([name, rewritten], index) => {
    const before = row[`c${key.length + index}`]
    const next = before === null ? null : rewritten(before as never)
    return JSON.stringify(next) === JSON.stringify(before) ? [] : [sql`${sql.ref(name)} = ${next}`]
  })
}
