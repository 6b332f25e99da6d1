import { type Kysely, sql } from 'kysely'

/**
 * Counts deletes from a table with a trigger, including those of cascading foreign keys. Returns a function that returns
 * the largest number of rows deleted by one statement since then.
 */
export async function watchDeletes<D>(db: Kysely<D>, table: string): Promise<() => Promise<number>> {
  const watch = sql.id(`deletes_of_${table}`)
  const record = sql.id(`record_deletes_of_${table}`)
  await sql`create table ${watch} (row_count integer not null)`.execute(db)
  await sql`
    create function ${record}() returns trigger language plpgsql as $$
    begin
      insert into ${watch} select count(*) from removed;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ${record} after delete on ${sql.id(table)} referencing old table as removed
    for each statement execute function ${record}()`.execute(db)
  return async () => {
    const { rows } = await sql<{
      most: number
    }>`select coalesce(max(row_count), 0) as most from ${watch}`.execute(db)
    return Number(rows[0]?.most)
  }
}
