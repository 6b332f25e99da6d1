import { type Kysely, sql } from 'kysely'

/**
 * Adds a hash chain over the audit log, in a table that only this trigger writes, and revokes all rights of the service's
 * role on the log except insert and select.
 *
 * The hash of entry n is sha256(hash of entry n-1 || the entry as UTF-8 text). The text is a JSON array as Postgres
 * formats `jsonb`: the sequence number, then the columns in the order of the table, with the time in UTC with milliseconds.
 * Entry 0 is the start of the chain: 32 zero bytes. `looptide audit verify` recomputes the hashes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_chain (
      seq bigint primary key,
      entry_id uuid unique,
      hash bytea not null
    )`.execute(db)
  await sql`insert into audit_chain (seq, hash) values (0, decode(repeat('00', 32), 'hex'))`.execute(db)
  await sql`
    create function audit_chain_append(entry audit_log) returns void language plpgsql
    set search_path = admin_audit, pg_catalog, pg_temp as $$
    declare
      head record;
      next_seq bigint;
    begin
      -- Serialises appends: the row of entry 0 is the lock of the chain, which no other role can take.
      perform from audit_chain where seq = 0 for update;
      select seq, hash into head from audit_chain order by seq desc limit 1;
      next_seq := head.seq + 1;
      insert into audit_chain (seq, entry_id, hash) values (next_seq, entry.id, sha256(head.hash || convert_to(
        jsonb_build_array(next_seq, entry.id, entry.admin_user_id, entry.action, entry.target_type, entry.target_id,
          entry.target_user_id, entry.details, entry.before, entry.after, entry.correlation_id,
          to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text, 'UTF8')));
    end $$`.execute(db)
  await sql`
    create function audit_log_chain() returns trigger language plpgsql security definer
    set search_path = admin_audit, pg_catalog, pg_temp as $$
    begin
      perform audit_chain_append(new);
      return null;
    end $$`.execute(db)
  await sql`revoke execute on function audit_chain_append(audit_log), audit_log_chain() from public`.execute(
    db,
  )
  // `create trigger` blocks inserts until this transaction ends, so no entry is missed or chained twice.
  await sql`
    create trigger audit_log_chain after insert on audit_log
    for each row execute function audit_log_chain()`.execute(db)
  await sql`
    do $$
    declare entry audit_log;
    begin
      for entry in select * from audit_log order by created_at, id loop
        perform audit_chain_append(entry);
      end loop;
    end $$`.execute(db)
  await revokeRights(db)
}

/** Revokes the rights that new tables grant to the service's role (packages/backing/src/database/table-owner.ts). */
async function revokeRights(db: Kysely<unknown>): Promise<void> {
  const role = sql.ref('looptide_admin_audit')
  await sql`revoke all on audit_log, audit_chain, kysely_migration, kysely_migration_lock from ${role}`.execute(
    db,
  )
  await sql`grant select on audit_chain, kysely_migration, kysely_migration_lock to ${role}`.execute(db)
  await sql`grant select, insert on audit_log to ${role}`.execute(db)
}
