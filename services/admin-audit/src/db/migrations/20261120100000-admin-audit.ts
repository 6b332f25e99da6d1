import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createAuditLog(db)
  await sql`
    create table guard_grants (
      id bigserial primary key,
      admin_user_id uuid not null,
      action text not null,
      target_user_id uuid,
      granted_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index guard_grants_by_admin on guard_grants (admin_user_id, granted_at desc)`.execute(db)
  await sql`create index guard_grants_by_time on guard_grants (granted_at)`.execute(db)
  await sql`create table security_marks (key text primary key, until timestamptz not null)`.execute(db)
  await sql`create index security_marks_until on security_marks (until)`.execute(db)
  await sql`
    create table theme_settings (
      id uuid primary key,
      primary_color text not null,
      secondary_color text not null,
      accent_color text not null,
      background_color text not null,
      text_color text not null,
      font_family text not null,
      font_size integer not null,
      border_radius integer not null,
      logo_url text,
      hero_background_url text,
      is_active boolean not null,
      created_by uuid not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create unique index theme_settings_active on theme_settings (is_active) where is_active`.execute(
    db,
  )
}

/** Creates the audit log with one index for each filter; all indexes are sorted newest first. */
async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id uuid primary key,
      admin_user_id uuid,
      action text not null,
      target_type text,
      target_id text,
      target_user_id uuid,
      details jsonb,
      before jsonb,
      after jsonb,
      correlation_id text,
      created_at timestamptz(3) not null
    )`.execute(db)
  await sql`
    create index audit_log_newest on audit_log (created_at desc, id desc) include (admin_user_id)`.execute(db)
  await sql`
    create index audit_log_by_admin on audit_log (admin_user_id, created_at desc, id desc)`.execute(db)
  await sql`create index audit_log_by_action on audit_log (action, created_at desc, id desc)`.execute(db)
  await sql`
    create index audit_log_by_target_user on audit_log (target_user_id, created_at desc, id desc)
    where target_user_id is not null`.execute(db)
  await sql`
    create index audit_log_security on audit_log (created_at desc, id desc)
    where starts_with(action, 'security_')`.execute(db)
  // The service's role owns the table here, so grants cannot prevent changes. A trigger does.
  await sql`
    create function audit_log_is_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only';
    end $$`.execute(db)
  await sql`
    create trigger audit_log_is_append_only before update or delete or truncate on audit_log
    for each statement execute function audit_log_is_append_only()`.execute(db)
}
