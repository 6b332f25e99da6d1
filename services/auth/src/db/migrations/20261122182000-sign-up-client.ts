import { type Kysely, sql } from 'kysely'

/**
 * A keyed digest of the network and browser of an unconfirmed sign-up. The password of the sign-up is kept only if the
 * confirmation comes from the same network and browser.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['users', 'one_time_tokens', 'earlier_tokens'])
    await sql`alter table ${sql.table(table)} add column sign_up_client bytea`.execute(db)
}
