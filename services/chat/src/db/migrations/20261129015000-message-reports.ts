import { type Kysely, sql } from 'kysely'

/**
 * Reported messages, what moderators have decided, and appeals. A case keeps the text of its message as evidence. Its state
 * is `open`, `decided`, `appealed` or `closed`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_cases (
      id uuid primary key,
      channel_id text not null,
      message_id uuid not null unique,
      seq bigint not null,
      author_user_id uuid not null,
      message text not null,
      posted_at timestamptz(3) not null,
      opened_at timestamptz(3) not null,
      state text not null,
      decision text,
      reason text,
      decided_at timestamptz(3),
      decided_by uuid,
      appeal text,
      appealed_at timestamptz(3),
      outcome text,
      outcome_by uuid
    )`.execute(db)
  await sql`create index report_cases_waiting on report_cases (id) where state in ('open', 'appealed')`.execute(
    db,
  )
  await sql`create index report_cases_done on report_cases (id) where state in ('decided', 'closed')`.execute(
    db,
  )
  await sql`create index report_cases_author on report_cases (author_user_id, id)`.execute(db)
  await sql`
    create table message_reports (
      case_id uuid not null references report_cases (id) on delete cascade,
      reporter_user_id uuid not null,
      reason text not null,
      text text,
      reported_at timestamptz(3) not null,
      primary key (case_id, reporter_user_id)
    )`.execute(db)
  await sql`create index message_reports_reporter on message_reports (reporter_user_id, case_id)`.execute(db)
}
