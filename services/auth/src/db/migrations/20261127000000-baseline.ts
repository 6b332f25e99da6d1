import { cleanLine, cleanParagraph } from '@looptide/contracts/text'
import { type Bridge, executeFile } from '@looptide/service-kit/db/bridge'
import { rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import { type QueryExecutorProvider, sql } from 'kysely'

/** Creates the tables of auth. */
export const up = (db: QueryExecutorProvider): Promise<void> =>
  executeFile(db, new URL('20261127000000-baseline.sql', import.meta.url))

export const bridge: Bridge = {
  states: {
    // The newest one of the event tables.
    '20261121125500-trace-parent': 'e643dcf',
    '20261126105859-secret-check': 'a1f7ac93',
    '20261126233500-flow-generations': '17e9159a',
  },
  alter: `
    alter table users
      alter column email drop not null,
      add column if not exists contested boolean not null default false,
      add column if not exists sign_up_client bytea,
      add column if not exists invited_at timestamptz,
      add column if not exists reauthentication_digest bytea,
      add column if not exists reauthentication_sent_at timestamptz,
      add column if not exists password_reset_required_at timestamptz,
      add column if not exists anonymous_seen_at timestamptz,
      add column if not exists app_metadata jsonb not null default '{}',
      drop constraint if exists users_anonymous_check,
      add constraint users_anonymous_check check ((email is null) = (anonymous_seen_at is not null));
    drop index if exists users_unconfirmed;
    alter table sessions
      add column if not exists recent_rotations jsonb not null default '[]',
      add column if not exists arrived_counter integer not null default 0,
      add column if not exists factor_id uuid,
      add column if not exists factor_method text,
      add column if not exists factor_verified_at timestamptz,
      drop constraint sessions_method_check,
      add constraint sessions_method_check
        check (method in ('password', 'otp', 'passkey', 'oauth', 'anonymous'));
    alter table one_time_tokens
      add column if not exists password_hash text,
      add column if not exists user_metadata jsonb,
      add column if not exists sign_up_client bytea,
      add column if not exists is_trusted boolean not null default false;
    alter table if exists earlier_tokens add column if not exists is_trusted boolean not null default false;
    alter table mail_throttle add column if not exists streak integer not null default 1;
    alter table profiles add column if not exists handle_skeleton text collate "C";
    alter table user_roles
      drop constraint user_roles_role_check,
      add constraint user_roles_role_check
        check (role in ('user', 'programmer', 'curator', 'moderator', 'admin'));
    alter table user_restrictions
      add column if not exists created_by_role text,
      drop constraint if exists user_restrictions_created_by_role_check,
      add constraint user_restrictions_created_by_role_check
        check (created_by_role in ('user', 'programmer', 'curator', 'moderator', 'admin'));
    alter table if exists account_networks
      add column if not exists wrong_codes integer not null default 0,
      add column if not exists wrong_codes_since timestamptz;
    alter table if exists provider_flows add column if not exists generation integer;
    alter table if exists personal_tokens
      add column if not exists session_id uuid,
      add column if not exists generation integer not null default 0`,
  convert: async (db, from) => {
    if (from === 'e643dcf') await fillSkeletons(db)
    await sql`
      insert into first_start_steps (step)
      select 'first-admin' where exists (select from user_roles where role = 'admin')`.execute(db)
    await normaliseTexts(db)
  },
}

/**
 * Of look-alikes the oldest handle gets the skeleton. The others stay null, which keeps the handle until its owner changes
 * it. The expression equals `handleSkeleton` in `packages/service-kit/src/text/look-alike.ts`.
 */
async function fillSkeletons(db: QueryExecutorProvider): Promise<void> {
  await sql`
    update profiles set handle_skeleton = oldest.skeleton
    from (
      select distinct on (skeleton) user_id, skeleton
      from (
        select user_id, created_at, replace(lower(translate(handle, '01I', 'oll')), 'm', 'rn') as skeleton
        from profiles
      ) as named
      order by skeleton, created_at, user_id
    ) as oldest
    where profiles.user_id = oldest.user_id`.execute(db)
}

/** Normalises names and reasons, as those of requests are. Handles and emails are ASCII. */
async function normaliseTexts(db: QueryExecutorProvider): Promise<void> {
  const orNull = (text: string): string | null => cleanLine(text) || null
  const orUnchanged = (text: string): string => cleanLine(text) || text
  const reason = (text: string): string => cleanParagraph(text) || text
  await rewriteTexts(db, { table: 'profiles', key: ['user_id'], columns: { artist_name: orNull } })
  await rewriteTexts(db, { table: 'passkeys', key: ['id'], columns: { name: orUnchanged } })
  await rewriteTexts(db, { table: 'personal_tokens', key: ['id'], columns: { name: orUnchanged } })
  await rewriteTexts(db, { table: 'factors', key: ['id'], columns: { friendly_name: orUnchanged } })
  await rewriteTexts(db, { table: 'user_restrictions', key: ['id'], columns: { reason } })
}
