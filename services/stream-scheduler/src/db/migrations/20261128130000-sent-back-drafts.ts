import { type Kysely, sql } from 'kysely'

/** A draft says who has sent its submission back, when and why. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table schedule_drafts
    add column sent_back_by uuid,
    add column sent_back_at timestamptz,
    add column sent_back_reason text not null default ''`.execute(db)
}
