import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

export interface PlannedDb<T> {
  db: Kysely<T>
  /** Runs `work` on `db` and returns the plans of all its queries, each after its query. */
  plansOf(work: () => Promise<unknown>): Promise<string>
  stop(): Promise<void>
}

/** Settings with which the planner uses an index that has a query's condition and order, also of a few rows. */
const INDEXES_ONLY = 'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off'

/**
 * A connection for tests that check which indexes the queries of a repository use. With `isSmall` they are used although
 * the tables have a few rows only, of which Postgres knows more or less by chance.
 */
export function plannedDb<T>(url: string, { isSmall = false } = {}): PlannedDb<T> {
  let queried: CompiledQuery[] = []
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  // Dropping the database at the end closes idle connections.
  pool.on('error', () => undefined)
  if (isSmall) pool.on('connect', (client) => void client.query(INDEXES_ONLY))
  const db = new Kysely<T>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: (event) => {
      queried.push(event.query)
    },
  })
  return {
    db,
    async plansOf(work) {
      queried = []
      await work()
      const queries = queried.filter(({ sql }) => !/^(begin|commit|rollback)/i.test(sql))
      if (queries.length === 0) throw new Error('no query was executed')
      const plans: string[] = []
      for (const query of queries) {
        const explained = await db.executeQuery<Record<string, string>>(
          CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters]),
        )
        plans.push(query.sql, ...explained.rows.map((row) => Object.values(row)[0] ?? ''))
      }
      return plans.join('\n')
    },
    stop: () => db.destroy(),
  }
}
