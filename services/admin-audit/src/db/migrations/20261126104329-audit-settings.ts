import { type Kysely, sql } from 'kysely'

/**
 * Lets the database bound what `audit_pseudonymise` erases. Its caller, the service, could pass any time before the last
 * 30 days, and name anybody as a person whose account was deleted.
 *
 * - The retention is the row of `audit_settings`, which the service can only read. Later migration steps renew it from
 *   AUDIT_PSEUDONYMISE_DAYS (src/migrate.ts).
 * - Entries about a person are erased earlier only 30 days after the database noted the deletion of the account.
 * - Rights that earlier set-ups of the database granted again after their migration had revoked them are revoked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...SETTINGS, ...DELETIONS, PSEUDONYMISE, ...RIGHTS])
    await sql.raw(statement).execute(db)
}

const ROLE = 'looptide_admin_audit'
const SEARCH_PATH = 'set search_path = admin_audit, pg_catalog, pg_temp'

const SETTINGS = [
  `create table audit_settings (
    only_row boolean primary key default true check (only_row),
    pseudonymise_days integer not null check (pseudonymise_days between 0 and 3650)
  )`,
  `insert into audit_settings (pseudonymise_days) values (365)`,
]

/** A deletion counts from the time at which it is noted, whatever time the service writes. */
const DELETIONS = [
  `create function removed_accounts_note_time() returns trigger language plpgsql as $$
  begin
    new.deleted_at := greatest(new.deleted_at, now());
    return new;
  end $$`,
  `create trigger removed_accounts_note_time before insert or update on removed_accounts
  for each row execute function removed_accounts_note_time()`,
]

const PSEUDONYMISE = `
  create or replace function audit_pseudonymise(older_than timestamptz, person uuid, step integer) returns integer
  language plpgsql security definer ${SEARCH_PATH} as $$
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
  end $$`

const RIGHTS = [
  `revoke all on audit_settings, audit_chain, audit_digests, audit_pseudonym_secret, kysely_migration,
    kysely_migration_lock from ${ROLE}`,
  `revoke update, delete on audit_log from ${ROLE}`,
  `grant select on audit_settings, audit_chain, audit_digests, kysely_migration, kysely_migration_lock to ${ROLE}`,
]
