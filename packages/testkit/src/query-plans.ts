import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'

export interface PlannedDb<T> {
  db: Kysely<T>
  /** Runs `work` on `db` and answers Postgres's plans for all that it asked, each behind its query. */
  plansOf(work: () => Promise<unknown>): Promise<string>
  stop(): Promise<void>
}

/** A connection for tests that check by which index a repository's queries are served. */
export function plannedDb<T>(url: string): PlannedDb<T> {
  let asked: CompiledQuery[] = []
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  // A database that is dropped at the end takes idle connections with it.
  pool.on('error', () => undefined)
  const db = new Kysely<T>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    log: (event) => {
      asked.push(event.query)
    },
  })
  return {
    db,
    async plansOf(work) {
      asked = []
      await work()
      const queries = asked.filter(({ sql }) => !/^(begin|commit|rollback)/i.test(sql))
      if (queries.length === 0) throw new Error('the database was asked nothing')
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
