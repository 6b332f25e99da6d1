import type pg from 'pg'
import { type Anchor, ChainChecker, type ChainResult } from './chain-checker.ts'
import { type ChainRow, FIND_SEAL, READ_PAGE } from './chain-rows.ts'

const PAGE = 1000

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
