import { type Kysely, sql } from 'kysely'

/**
 * A keyed digest of the network and browser of a sign-up that waits for its confirmation. The password of the sign-up
 * is kept only if the confirmation comes from the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['users', 'one_time_tokens', 'earlier_tokens'])
    await sql`alter table ${sql.table(table)} add column sign_up_client bytea`.execute(db)
}
