import { type Kysely, type RawBuilder, sql } from 'kysely'

/** Rows that one transaction reads and locks. */
const BATCH_ROWS = 100

/** The columns of a table that are rewritten, by name. A value that the function returns unchanged is not written. */
export interface TextsOfTable {
  table: string
  /** The columns of the primary key. */
  key: readonly string[]
  columns: Readonly<Record<string, (value: never) => unknown>>
}

/**
 * Rewrites texts outside ASCII in a migration that exports `outsideTransaction`. Each batch is a short transaction that
 * locks only its own rows, so replicas keep reading and writing. Safe to run again if the functions are idempotent.
 */
export async function rewriteTexts(
  db: Kysely<unknown>,
  { table, key, columns }: TextsOfTable,
): Promise<void> {
  const names = Object.keys(columns)
  const tuple = (parts: readonly RawBuilder<unknown>[]) => sql`(${sql.join(parts)})`
  const keyRefs = key.map((name) => sql.ref(name))
  const isOutsideAscii = names.map(
    (name) => sql`octet_length(${sql.ref(name)}::text) <> length(${sql.ref(name)}::text)`,
  )
  const selected = [...keyRefs, ...names.map((name) => sql.ref(name))].map(
    (ref, index) => sql`${ref} as ${sql.ref(`c${index}`)}`,
  )
  const rewriteAfter = (last: readonly unknown[] | undefined) =>
    db.transaction().execute(async (trx) => {
      const after = last && sql`and ${tuple(keyRefs)} > ${tuple(last.map((part) => sql`${part}`))}`
      const { rows } = await sql<Record<string, unknown>>`
        select ${sql.join(selected)} from ${sql.table(table)}
        where (${sql.join(isOutsideAscii, sql` or `)}) ${after ?? sql``}
        order by ${sql.join(keyRefs)} limit ${BATCH_ROWS} for update`.execute(trx)
      for (const row of rows) {
        const changes = names.flatMap((name, index) => {
          const before = row[`c${key.length + index}`]
          const next = before === null ? null : columns[name]?.(before as never)
          return JSON.stringify(next) === JSON.stringify(before) ? [] : [sql`${sql.ref(name)} = ${next}`]
        })
        if (changes.length === 0) continue
        const own = tuple(key.map((_name, index) => sql`${row[`c${index}`]}`))
        await sql`update ${sql.table(table)} set ${sql.join(changes)} where ${tuple(keyRefs)} = ${own}`.execute(
          trx,
        )
      }
      const end = rows.length === BATCH_ROWS ? rows.at(-1) : undefined
      return end && key.map((_name, index) => end[`c${index}`])
    })
  for (let last = await rewriteAfter(undefined); last !== undefined; ) last = await rewriteAfter(last)
}
