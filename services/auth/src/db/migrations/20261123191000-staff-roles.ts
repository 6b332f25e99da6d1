import { type Kysely, sql } from 'kysely'

const ROLES = "('user', 'programmer', 'curator', 'moderator', 'admin')"

/** The columns that hold a role, each with the constraint of that table's migration. */
const COLUMNS = [
  ['user_roles', 'role'],
  ['user_restrictions', 'created_by_role'],
  ['kept_restrictions', 'created_by_role'],
] as const

/** The roles `programmer` and `curator`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of COLUMNS) {
    const name = `${table}_${column}_check`
    await sql.raw(`alter table ${table} drop constraint ${name}`).execute(db)
    // The rows satisfy the former, narrower constraint; validating only reads them.
    await sql
      .raw(`alter table ${table} add constraint ${name} check (${column} in ${ROLES}) not valid`)
      .execute(db)
    await sql.raw(`alter table ${table} validate constraint ${name}`).execute(db)
  }
}
