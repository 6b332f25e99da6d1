import type pg from 'pg'
import { type Anchor, ChainChecker, type ChainResult, type ChainRow } from './chain-checker.ts'

const PAGE = 1000

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
const READ_PAGE = `
  select c.seq::text, c.entry_id, encode(c.hash, 'hex') as hash, l.id is not null as is_there,
    encode(d.salt, 'hex') as salt, encode(d.digest, 'hex') as digest,
    coalesce(l.created_at > now() - interval '29 days', false) as is_young,
    ${PERSONAL} as personal, ${CONTENT} as content, case when c.seq < $2 then ${FORMER} end as former
  from admin_audit.audit_chain c
  left join admin_audit.audit_log l on l.id = c.entry_id
  left join admin_audit.audit_digests d on d.seq = c.seq
  where c.seq > $1 order by c.seq limit $3`

/** The link after the entries of releases without digests; null if there were none. */
const FIND_SEAL = `
  select min(seq)::text as seq from admin_audit.audit_chain where entry_id is null and seq > 0`

const FIND_UNCHAINED = `
  select l.id from admin_audit.audit_log l
  where not exists (select from admin_audit.audit_chain c where c.entry_id = l.id) limit 1`

/**
 * Hashes every entry of the audit log again, in one snapshot, and compares it with the chain and the anchors. Needs
 * read access only; memory does not grow with the log.
 */
export async function verifyChain(
  client: pg.ClientBase,
  anchors: readonly Anchor[] = [],
): Promise<ChainResult> {
  await client.query('begin isolation level repeatable read read only')
  try {
    const { rows: seals } = await client.query<{ seq: string | null }>(FIND_SEAL)
    const seal = seals[0]?.seq ?? null
    const checker = new ChainChecker(anchors, seal)
    let rows: ChainRow[]
    do {
      rows = (await client.query<ChainRow>(READ_PAGE, [checker.readUpTo, seal ?? 0, PAGE])).rows
      for (const row of rows) if (!checker.take(row)) return checker.result()
    } while (rows.length === PAGE)
    const { rows: unchained } = await client.query<{ id: string }>(FIND_UNCHAINED)
    checker.end(unchained[0]?.id)
    return checker.result()
  } finally {
    await client.query('rollback')
  }
}
