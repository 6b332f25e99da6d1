import { type Kysely, sql } from 'kysely'

/**
 * Lets personal data of old entries be erased while the chain still verifies (docs/decisions/0064). An entry's personal
 * fields are hashed with a random salt; the chain covers this digest and the other fields:
 *
 * - personal text: JSON array of admin_user_id, target_id of a user, target_user_id, details, before, after, correlation_id
 * - digest: sha256(salt || personal text)
 * - content: JSON array of sequence number, id, action, target_type, target_id of anything else, time, digest in hex
 * - hash of entry n: sha256(hash of entry n-1 || content)
 *
 * Entries of earlier releases keep their hashes, which cover the personal fields themselves. One more link after them, the
 * seal, covers their contents: sha256(hash of the last of them || s), with s = sha256(s || content) over all of them from
 * 32 zero bytes on. After one of them was pseudonymised, the seal proves the rest of it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Waits for inserts that use the former function, and blocks others until this transaction ends.
  await sql`
    create or replace trigger audit_log_chain after insert on audit_log
    for each row execute function audit_log_chain()`.execute(db)
  for (const statement of TABLES) await sql.raw(statement).execute(db)
  for (const statement of CHAIN) await sql.raw(statement).execute(db)
  for (const statement of PSEUDONYMS) await sql.raw(statement).execute(db)
  await sql.raw(SEAL).execute(db)
  for (const statement of RIGHTS) await sql.raw(statement).execute(db)
}

const SETTINGS = 'set search_path = admin_audit, pg_catalog, pg_temp'

const TABLES = [
  // A null salt: the personal fields were replaced.
  `create table audit_digests (seq bigint primary key, salt bytea, digest bytea not null)`,
  `create index audit_digests_personal on audit_digests (seq) where salt is not null`,
  `create table audit_pseudonym_secret (secret bytea not null)`,
  `insert into audit_pseudonym_secret values (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`,
  `create table removed_accounts (user_id uuid primary key, deleted_at timestamptz not null)`,
  `create index removed_accounts_deleted_at on removed_accounts (deleted_at)`,
]

const CHAIN = [
  `create function audit_personal_text(entry audit_log) returns bytea language sql stable ${SETTINGS} as $$
    select convert_to(jsonb_build_array(entry.admin_user_id,
      case when entry.target_type = 'user' then entry.target_id end,
      entry.target_user_id, entry.details, entry.before, entry.after, entry.correlation_id)::text, 'UTF8')
  $$`,
  `create function audit_content(seq bigint, entry audit_log, digest bytea) returns bytea language sql stable
  ${SETTINGS} as $$
    select convert_to(jsonb_build_array(seq, entry.id, entry.action, entry.target_type,
      case when entry.target_type is distinct from 'user' then entry.target_id end,
      to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      encode(digest, 'hex'))::text, 'UTF8')
  $$`,
  `create function audit_add_digest(seq bigint, entry audit_log) returns bytea language sql ${SETTINGS} as $$
    with salted as (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt)
    insert into audit_digests (seq, salt, digest)
    select seq, salt, sha256(salt || audit_personal_text(entry)) from salted returning digest
  $$`,
  `create or replace function audit_chain_append(entry audit_log) returns void language plpgsql ${SETTINGS} as $$
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
  end $$`,
]

const PSEUDONYMS = [
  `create or replace function audit_log_is_append_only() returns trigger language plpgsql as $$
  begin
    -- Only audit_pseudonymise sets it, and only its role may change rows at all.
    if tg_op = 'UPDATE' and current_setting('admin_audit.pseudonymising', true) = 'on' then
      return null;
    end if;
    raise exception 'the audit log is append-only';
  end $$`,
  `create function audit_pseudonym(person uuid) returns uuid language sql stable ${SETTINGS} as $$
    select encode(substr(sha256(secret || uuid_send(person)), 1, 16), 'hex')::uuid from audit_pseudonym_secret
  $$`,
  // Erases personal data of entries before \`older_than\`, or of this person, in steps. Younger ones stay as evidence.
  `create function audit_pseudonymise(older_than timestamptz, person uuid, step integer) returns integer
  language plpgsql security definer ${SETTINGS} as $$
  declare
    due timestamptz := least(older_than, now() - interval '30 days');
    links bigint[];
  begin
    if person is null then
      select array_agg(d.seq) into links
      from (select seq from audit_digests where salt is not null order by seq limit step for update skip locked) d
      join audit_chain c on c.seq = d.seq join audit_log l on l.id = c.entry_id
      where l.created_at < due;
    else
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
  end $$`,
]

const SEAL = `
  do $$
  declare
    link record;
    sealed bytea := decode(repeat('00', 32), 'hex');
  begin
    for link in
      select c.seq, l as entry from audit_chain c join audit_log l on l.id = c.entry_id order by c.seq
    loop
      sealed := sha256(sealed || audit_content(link.seq, link.entry, audit_add_digest(link.seq, link.entry)));
    end loop;
    insert into audit_chain (seq, hash)
    select seq + 1, sha256(hash || sealed) from audit_chain where seq > 0 order by seq desc limit 1;
  end $$`

const ROLE = 'looptide_admin_audit'

/** Of the service's role: it reads the digests, and erases by the function alone. */
const RIGHTS = [
  `revoke all on audit_digests, audit_pseudonym_secret from ${ROLE}`,
  `grant select on audit_digests to ${ROLE}`,
  `revoke execute on function audit_personal_text(audit_log), audit_content(bigint, audit_log, bytea),
    audit_add_digest(bigint, audit_log), audit_pseudonym(uuid), audit_pseudonymise(timestamptz, uuid, integer)
    from public`,
  `grant execute on function audit_pseudonymise(timestamptz, uuid, integer) to ${ROLE}`,
]
