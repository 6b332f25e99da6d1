import { databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import { withClient } from '@looptide/backing/database/set-up'
import { PROJECTIONS, REFERENCES } from './references.ts'
import { BOUNDED, EVENT_TABLES, RETENTIONS, TOLERANCE_HOURS } from './retention.ts'

const SCHEMAS = databaseOwnerNames.map((owner) => databaseOwners[owner].schema)

/** Queries the station's database as its administrator. */
async function ask<Row extends object>(databaseUrl: string, sql: string): Promise<Row[]> {
  return withClient(databaseUrl, async (client) => (await client.query<Row>(sql)).rows)
}

/** Rows that refer to missing rows, and projections that differ from their source; one line each. */
export async function findOrphans(databaseUrl: string): Promise<string[]> {
  const found: string[] = []
  await withClient(databaseUrl, async (client) => {
    for (const { column, orphan } of REFERENCES) {
      if (orphan === undefined) continue
      const table = column.slice(0, column.lastIndexOf('.'))
      const { rows } = await client.query(`select t.* from ${table} t where ${orphan} limit 3`)
      for (const row of rows) found.push(`${column}: ${JSON.stringify(row)}`)
    }
    for (const [what, query] of Object.entries(PROJECTIONS)) {
      const { rows } = await client.query<{ id: string }>(`${query} limit 3`)
      for (const { id } of rows) found.push(`not so: ${what} (${id})`)
    }
  })
  return found
}

/** Columns that hold an id, by their names, without a foreign key and missing in {@link REFERENCES}. */
export async function unwatchedColumns(databaseUrl: string): Promise<string[]> {
  const columns = await ask<{ column: string }>(
    databaseUrl,
    `select format('%s.%s.%s', c.table_schema, c.table_name, c.column_name) as column
     from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = any('{${SCHEMAS.join()}}') and t.table_type = 'BASE TABLE'
       and c.table_name <> all('{${EVENT_TABLES.join()}}')
       and (c.column_name ~ '_(id|by)$' or c.column_name = 'leader')
       and not exists (
         select from pg_constraint k
         join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
         where k.contype = 'f' and k.conrelid = format('%I.%I', c.table_schema, c.table_name)::regclass
           and a.attname = c.column_name)`,
  )
  const listed = new Set(REFERENCES.map(({ column }) => column))
  return columns.map(({ column }) => column).filter((column) => !listed.has(column))
}

/** Tables with rows that are older than their retention period. */
export async function findOverdue(databaseUrl: string, nowMs: number): Promise<string[]> {
  const found: string[] = []
  for (const { table, at, hours } of RETENTIONS) {
    const limit = `to_timestamp(${nowMs} / 1000.0) - interval '${hours + TOLERANCE_HOURS} hours'`
    const [row] = await ask<{ count: string; oldest: Date | null }>(
      databaseUrl,
      `select count(*), min(${at}) as oldest from ${table} where ${at} < ${limit}`,
    )
    if (row !== undefined && Number(row.count) > 0) {
      found.push(`${table}: ${row.count} rows, the oldest of ${row.oldest?.toISOString()}`)
    }
  }
  return found
}

/** Tables without a rule for their growth. */
export async function unboundedTables(databaseUrl: string): Promise<string[]> {
  const bounded = new Set(BOUNDED)
  const names = Object.keys(await tableSizes(databaseUrl))
  return names.filter((name) => !bounded.has(name) && !EVENT_TABLES.includes(name.split('.')[1] ?? ''))
}

/** Schemas with events in their outbox. */
export async function waitingEvents(databaseUrl: string): Promise<string[]> {
  const rows = await ask<{ waiting: string }>(
    databaseUrl,
    SCHEMAS.map((schema) => `select '${schema}: ' || type as waiting from ${schema}.outbox`).join(
      ' union all ',
    ),
  )
  return rows.map(({ waiting }) => waiting)
}

/** All dead letters. */
export async function deadLetters(databaseUrl: string): Promise<string[]> {
  const rows = await ask<{ letter: string }>(
    databaseUrl,
    SCHEMAS.map(
      (schema) => `select '${schema}: ' || subject || ': ' || error as letter from ${schema}.dead_letters`,
    ).join(' union all '),
  )
  return rows.map(({ letter }) => letter)
}

/** Number of audit entries per action since an instant (epoch ms). */
export async function auditedSince(databaseUrl: string, sinceMs: number): Promise<Map<string, number>> {
  const rows = await ask<{ action: string; count: string }>(
    databaseUrl,
    `select action, count(*) from admin_audit.audit_log
     where created_at >= to_timestamp(${sinceMs} / 1000.0) group by 1`,
  )
  return new Map(rows.map(({ action, count }) => [action, Number(count)]))
}

/** Number of rows per table. */
export async function tableSizes(databaseUrl: string): Promise<Record<string, number>> {
  const tables = await ask<{ name: string }>(
    databaseUrl,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname = any('{${SCHEMAS.join()}}') and tablename not like 'kysely%' order by 1`,
  )
  const sizes: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await ask<{ count: string }>(databaseUrl, `select count(*) from ${name}`)
    sizes[name] = Number(row?.count)
  }
  return sizes
}
