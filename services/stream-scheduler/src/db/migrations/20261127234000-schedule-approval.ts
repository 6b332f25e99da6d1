import { type Kysely, sql } from 'kysely'

/** A draft can be submitted for approval, and a published version has a note. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table schedule_drafts
    add column submitted_by uuid,
    add column submitted_at timestamptz,
    add column submission_note text not null default ''`.execute(db)
  await sql`alter table schedule_versions add column note text not null default ''`.execute(db)
}
