import { type Kysely, sql } from 'kysely'

/** The generation of the access token that began to link an identity; null: a sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table provider_flows add column generation integer').execute(db)
}
