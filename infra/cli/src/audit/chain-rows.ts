/** A link of the chain with its entry and digest. Hashes, salt and digest are in hex. */
export interface ChainRow {
  seq: string
  /** Null for the beginning of the chain and for its seal. */
  entry_id: string | null
  hash: string
  is_there: boolean
  /** Null for an entry that was pseudonymised. */
  salt: string | null
  digest: string | null
  /** Whether the entry is so young that no entry of its age may be pseudonymised. */
  is_young: boolean
  /** What the digest covers. */
  personal: string
  /** What the hash covers. */
  content: string
  /** What the hash of an entry before the seal covers; null after it. */
  former: string | null
}

/**
 * The hashed texts of an entry, as services/admin-audit/src/db/migrations/20261127000000-baseline.sql defines them.
 * Repeated here on purpose: a function in the database could have been changed together with the log.
 */
const TIME = `to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const PERSONAL = `jsonb_build_array(l.admin_user_id, case when l.target_type = 'user' then l.target_id end,
  l.target_user_id, l.details, l.before, l.after, l.correlation_id)::text`

const CONTENT = `jsonb_build_array(c.seq, l.id, l.action, l.target_type,
  case when l.target_type is distinct from 'user' then l.target_id end, ${TIME}, encode(d.digest, 'hex'))::text`

const FORMER = `jsonb_build_array(c.seq, l.id, l.admin_user_id, l.action, l.target_type, l.target_id,
  l.target_user_id, l.details, l.before, l.after, l.correlation_id, ${TIME})::text`

/** The links after $1, at most $3. $2 is the sequence number of the seal, or 0. */
export const READ_PAGE = `
  select c.seq::text, c.entry_id, encode(c.hash, 'hex') as hash, l.id is not null as is_there,
    encode(d.salt, 'hex') as salt, encode(d.digest, 'hex') as digest,
    coalesce(l.created_at > now() - interval '29 days', false) as is_young,
    ${PERSONAL} as personal, ${CONTENT} as content, case when c.seq < $2 then ${FORMER} end as former
  from admin_audit.audit_chain c
  left join admin_audit.audit_log l on l.id = c.entry_id
  left join admin_audit.audit_digests d on d.seq = c.seq
  where c.seq > $1 order by c.seq limit $3`

/** The link after the entries of releases without digests; null if there were none. */
export const FIND_SEAL = `
  select min(seq)::text as seq from admin_audit.audit_chain where entry_id is null and seq > 0`
