-- The audit log and the settings of admins as migrations find them first. Later migrations change them; this file stays as
-- it is.

-- The audit log, with one index for each filter; all indexes are sorted newest first.
create table if not exists audit_log (
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
);
create index if not exists audit_log_newest on audit_log (created_at desc, id desc) include (admin_user_id);
create index if not exists audit_log_by_admin on audit_log (admin_user_id, created_at desc, id desc);
create index if not exists audit_log_by_action on audit_log (action, created_at desc, id desc);
create index if not exists audit_log_by_target_user on audit_log (target_user_id, created_at desc, id desc)
where target_user_id is not null;
create index if not exists audit_log_security on audit_log (created_at desc, id desc)
where starts_with(action, 'security_');

create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  -- Only audit_pseudonymise sets it, and only its role may change rows at all.
  if tg_op = 'UPDATE' and current_setting('admin_audit.pseudonymising', true) = 'on' then
    return null;
  end if;
  raise exception 'the audit log is append-only';
end $$;
create or replace trigger audit_log_is_append_only before update or delete or truncate on audit_log
for each statement execute function audit_log_is_append_only();

-- The hash chain over the log, in tables that only triggers write. Personal data of old entries can be erased while the
-- chain still verifies (docs/decisions/0064). An entry's personal fields are hashed with a random salt; the chain covers
-- this digest and the other fields:
--
-- - personal text: JSON array of admin_user_id, target_id of a user, target_user_id, details, before, after, correlation_id
-- - digest: sha256(salt || personal text)
-- - content: JSON array of sequence number, id, action, target_type, target_id of anything else, time, digest in hex
-- - hash of entry n: sha256(hash of entry n-1 || content)
--
-- The texts are as Postgres formats `jsonb`, in UTF-8, with the time in UTC with milliseconds. Entry 0 is the start of the
-- chain: 32 zero bytes. `looptide audit verify` recomputes the hashes.
--
-- Entries that are older than digests keep their hashes, which cover the personal fields themselves: all columns in the
-- order of the table, after the sequence number. One more link after them, the seal, covers their contents:
-- sha256(hash of the last of them || s), with s = sha256(s || content) over all of them from 32 zero bytes on. After one
-- of them was pseudonymised, the seal proves the rest of it. Its entry_id is null.
create table if not exists audit_chain (
  seq bigint primary key,
  entry_id uuid unique,
  hash bytea not null
);
insert into audit_chain (seq, hash) values (0, decode(repeat('00', 32), 'hex')) on conflict do nothing;
-- A null salt: the personal fields were replaced.
create table if not exists audit_digests (seq bigint primary key, salt bytea, digest bytea not null);
create index if not exists audit_digests_personal on audit_digests (seq) where salt is not null;

create or replace function audit_personal_text(entry audit_log) returns bytea language sql stable
set search_path = admin_audit, pg_catalog, pg_temp as $$
  select convert_to(jsonb_build_array(entry.admin_user_id,
    case when entry.target_type = 'user' then entry.target_id end,
    entry.target_user_id, entry.details, entry.before, entry.after, entry.correlation_id)::text, 'UTF8')
$$;

create or replace function audit_content(seq bigint, entry audit_log, digest bytea) returns bytea language sql stable
set search_path = admin_audit, pg_catalog, pg_temp as $$
  select convert_to(jsonb_build_array(seq, entry.id, entry.action, entry.target_type,
    case when entry.target_type is distinct from 'user' then entry.target_id end,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    encode(digest, 'hex'))::text, 'UTF8')
$$;

create or replace function audit_add_digest(seq bigint, entry audit_log) returns bytea language sql
set search_path = admin_audit, pg_catalog, pg_temp as $$
  with salted as (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt)
  insert into audit_digests (seq, salt, digest)
  select seq, salt, sha256(salt || audit_personal_text(entry)) from salted returning digest
$$;

create or replace function audit_chain_append(entry audit_log) returns void language plpgsql
set search_path = admin_audit, pg_catalog, pg_temp as $$
declare
  head record;
  next_seq bigint;
begin
  -- Serialises appends: the row of entry 0 is the lock of the chain, which no other role can take.
  perform from audit_chain where seq = 0 for update;
  select seq, hash into head from audit_chain order by seq desc limit 1;
  next_seq := head.seq + 1;
  insert into audit_chain (seq, entry_id, hash) values (next_seq, entry.id, sha256(
    head.hash || audit_content(next_seq, entry, audit_add_digest(next_seq, entry))));
end $$;

create or replace function audit_log_chain() returns trigger language plpgsql security definer
set search_path = admin_audit, pg_catalog, pg_temp as $$
begin
  perform audit_chain_append(new);
  return null;
end $$;
create or replace trigger audit_log_chain after insert on audit_log
for each row execute function audit_log_chain();

-- Persons of old entries are replaced by pseudonyms, which this secret makes.
create table if not exists audit_pseudonym_secret (secret bytea not null);
insert into audit_pseudonym_secret
select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
where not exists (select from audit_pseudonym_secret);

create or replace function audit_pseudonym(person uuid) returns uuid language sql stable
set search_path = admin_audit, pg_catalog, pg_temp as $$
  select encode(substr(sha256(secret || uuid_send(person)), 1, 16), 'hex')::uuid from audit_pseudonym_secret
$$;

-- The retention, which the service can only read. Each migration step renews it from AUDIT_PSEUDONYMISE_DAYS
-- (src/migrate.ts).
create table if not exists audit_settings (
  only_row boolean primary key default true check (only_row),
  pseudonymise_days integer not null check (pseudonymise_days between 0 and 3650)
);
insert into audit_settings (pseudonymise_days) values (365) on conflict do nothing;

create table if not exists removed_accounts (user_id uuid primary key, deleted_at timestamptz not null);
create index if not exists removed_accounts_deleted_at on removed_accounts (deleted_at);

-- A deletion counts from the time at which it is noted, whatever time the service writes.
create or replace function removed_accounts_note_time() returns trigger language plpgsql as $$
begin
  new.deleted_at := greatest(new.deleted_at, now());
  return new;
end $$;
create or replace trigger removed_accounts_note_time before insert or update on removed_accounts
for each row execute function removed_accounts_note_time();

-- Erases personal data of entries before `older_than`, or of this person, in steps. Younger ones stay as evidence. The
-- database bounds what is erased: its caller, the service, could pass any time before the last 30 days, and name anybody as
-- a person whose account was deleted. Entries about a person are erased earlier than the retention only 30 days after the
-- database noted the deletion of the account.
create or replace function audit_pseudonymise(older_than timestamptz, person uuid, step integer) returns integer
language plpgsql security definer set search_path = admin_audit, pg_catalog, pg_temp as $$
declare
  days integer := (select pseudonymise_days from audit_settings);
  due timestamptz;
  links bigint[];
begin
  -- 0 turns it off.
  if coalesce(days, 0) = 0 then
    return 0;
  end if;
  if person is null then
    due := least(older_than, now() - make_interval(days => greatest(days, 30)));
    select array_agg(d.seq) into links
    from (select seq from audit_digests where salt is not null order by seq limit step for update skip locked) d
    join audit_chain c on c.seq = d.seq join audit_log l on l.id = c.entry_id
    where l.created_at < due;
  else
    if not exists (
      select from removed_accounts r where r.user_id = person and r.deleted_at <= now() - interval '30 days'
    ) then
      return 0;
    end if;
    due := least(older_than, now() - interval '30 days');
    select array_agg(found.seq) into links from (
      select d.seq from audit_log l
      join audit_chain c on c.entry_id = l.id join audit_digests d on d.seq = c.seq
      where (l.admin_user_id = person or l.target_user_id = person) and d.salt is not null and l.created_at < due
      limit step for update of d skip locked) found;
  end if;
  perform set_config('admin_audit.pseudonymising', 'on', true);
  update audit_log l set
    admin_user_id = audit_pseudonym(l.admin_user_id),
    target_user_id = audit_pseudonym(l.target_user_id),
    target_id = case when l.target_type = 'user' then audit_pseudonym(l.target_user_id)::text else l.target_id end,
    details = null, before = null, after = null, correlation_id = null
  from audit_chain c where c.entry_id = l.id and c.seq = any(links);
  perform set_config('admin_audit.pseudonymising', 'off', true);
  update audit_digests set salt = null where seq = any(links);
  return coalesce(cardinality(links), 0);
end $$;

-- The service inserts into the log, reads it and its chain, and erases by the function alone. New tables grant its role more
-- (packages/backing/src/database/table-owner.ts).
revoke all on audit_log, audit_chain, audit_digests, audit_pseudonym_secret, audit_settings, kysely_migration,
  kysely_migration_lock from looptide_admin_audit;
grant select on audit_chain, audit_digests, audit_settings, kysely_migration, kysely_migration_lock
to looptide_admin_audit;
grant select, insert on audit_log to looptide_admin_audit;
revoke execute on function audit_chain_append(audit_log), audit_log_chain(), audit_personal_text(audit_log),
  audit_content(bigint, audit_log, bytea), audit_add_digest(bigint, audit_log), audit_pseudonym(uuid),
  audit_pseudonymise(timestamptz, uuid, integer) from public;
grant execute on function audit_pseudonymise(timestamptz, uuid, integer) to looptide_admin_audit;

-- Refused attempts by user and hour, for the limit of recorded attempts.
create table if not exists refused_attempts (
  user_id uuid not null,
  hour timestamptz(0) not null,
  attempts integer not null,
  primary key (user_id, hour)
);
create index if not exists refused_attempts_by_hour on refused_attempts (hour);

-- Those of anonymous users by network, because one person can create many of them. `network` is a keyed digest.
create table if not exists refused_attempts_of_networks (
  network text not null,
  hour timestamptz(0) not null,
  attempts integer not null,
  primary key (network, hour)
);
create index if not exists refused_attempts_of_networks_by_hour on refused_attempts_of_networks (hour);

create table if not exists guard_grants (
  id bigserial primary key,
  admin_user_id uuid not null,
  action text not null,
  target_user_id uuid,
  granted_at timestamptz(3) not null
);
create index if not exists guard_grants_by_admin on guard_grants (admin_user_id, granted_at desc);
create index if not exists guard_grants_by_time on guard_grants (granted_at);

create table if not exists security_marks (key text primary key, until timestamptz not null);
create index if not exists security_marks_until on security_marks (until);

create table if not exists theme_settings (
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
  created_at timestamptz not null default now(),
  -- The texts of the cards between videos.
  card_station_name text not null default '',
  card_next_text text not null default 'Coming up next',
  card_previous_text text not null default 'You just saw',
  card_countdown_text text not null default 'Starts in'
);
create unique index if not exists theme_settings_active on theme_settings (is_active) where is_active;
create index if not exists theme_settings_newest on theme_settings (created_at desc, id desc);
create index if not exists theme_settings_by_logo on theme_settings (logo_url);
create index if not exists theme_settings_by_hero on theme_settings (hero_background_url);

-- Uploaded logos and hero backgrounds.
create table if not exists theme_assets (
  version text primary key,
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
  bytes bytea not null,
  created_by uuid not null,
  created_at timestamptz not null default now()
);
create index if not exists theme_assets_by_age on theme_assets (created_at);
