import { type Kysely, sql } from 'kysely'

/** Steps of the first start that are done (`beginFirstStep`). In a database that is in use, all of them are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table first_start_steps (
      step text primary key,
      done_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    insert into first_start_steps (step)
    select 'demo-library'
    where exists (select from videos) or exists (select from deleted_videos)`.execute(db)
}
