import { type QueryExecutorProvider, sql } from 'kysely'

/**
 * Marks a step of the first start as done: what it created may be changed and deleted afterwards, and must not return. The
 * mark is a row of the service's own database, so it is part of each backup.
 *
 * @param db a transaction, if the step must be repeated when it fails
 * @returns whether the step is to be done now; false if it was done before
 */
export async function beginFirstStep(db: QueryExecutorProvider, step: string): Promise<boolean> {
  const { rows } = await sql`
    insert into first_start_steps (step) values (${step})
    on conflict (step) do nothing returning step`.execute(db)
  return rows.length > 0
}
