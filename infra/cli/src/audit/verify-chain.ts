import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A known hash of an entry: from an earlier verification, or from a log line of admin-audit. */
export interface Anchor {
  seq: number
  /** SHA-256 in hex. */
  hash: string
}

/** The first place where the log and its chain differ. */
interface ChainFault {
  /** Null for an entry that is not in the chain. */
  seq: number | null
  what: string
}

export interface ChainResult {
  /** Number of entries with correct hashes, from the first on. */
  entries: number
  /** The last of them; sequence number 0 if there is none. */
  head: Anchor
  fault: ChainFault | null
}

interface ChainRow {
  seq: string
  entry_id: string | null
  hash: string
  is_there: boolean
  text: string
}

const PAGE = 1000
const BEGINNING = '0'.repeat(64)

/**
 * The hashed text of an entry, as the migration `audit-chain` of admin-audit defines it. Repeated here on purpose:
 * a function in the database could have been changed together with the log.
 */
const ENTRY_TEXT = `
  jsonb_build_array(c.seq, l.id, l.admin_user_id, l.action, l.target_type, l.target_id, l.target_user_id,
    l.details, l.before, l.after, l.correlation_id,
    to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`

const READ_PAGE = `
  select c.seq::text, c.entry_id, encode(c.hash, 'hex') as hash, l.id is not null as is_there, ${ENTRY_TEXT} as text
  from admin_audit.audit_chain c left join admin_audit.audit_log l on l.id = c.entry_id
  where c.seq > $1 order by c.seq limit ${PAGE}`

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
    const checker = new ChainChecker(anchors)
    let rows: ChainRow[]
    do {
      rows = (await client.query<ChainRow>(READ_PAGE, [checker.readUpTo])).rows
      for (const row of rows) if (!checker.take(row)) return checker.result()
    } while (rows.length === PAGE)
    const { rows: unchained } = await client.query<{ id: string }>(FIND_UNCHAINED)
    checker.end(unchained[0]?.id)
    return checker.result()
  } finally {
    await client.query('rollback')
  }
}

/** Walks the chain up to the first fault. */
class ChainChecker {
  readonly #anchors: readonly Anchor[]
  #head: Anchor = { seq: 0, hash: BEGINNING }
  #fault: ChainFault | null = null
  /** Entry 0 is read first. */
  readUpTo = '-1'

  constructor(anchors: readonly Anchor[]) {
    this.#anchors = anchors
  }

  /** False when the row is faulty: the rows after it cannot be verified. */
  take(row: ChainRow): boolean {
    const isBeginning = this.readUpTo === '-1'
    const seq = isBeginning ? 0 : this.#head.seq + 1
    const what = isBeginning ? faultOfBeginning(row) : this.#faultOf(row, seq)
    if (what !== null) {
      this.#fault = { seq, what }
      return false
    }
    this.readUpTo = row.seq
    this.#head = { seq, hash: row.hash }
    const anchor = this.#anchors.find((one) => one.seq === seq && one.hash !== row.hash)
    if (anchor === undefined) return true
    this.#fault = { seq, what: 'has another hash than the anchor' }
    return false
  }

  #faultOf(row: ChainRow, seq: number): string | null {
    if (row.seq !== String(seq)) return 'is missing from the chain'
    if (!row.is_there) return `is missing from the log (id ${row.entry_id ?? 'unknown'})`
    const hash = createHash('sha256')
      .update(Buffer.from(this.#head.hash, 'hex'))
      .update(row.text)
      .digest('hex')
    return hash === row.hash ? null : `has been changed (id ${row.entry_id})`
  }

  end(unchainedId: string | undefined): void {
    const beyond = this.#anchors.find(({ seq }) => seq > this.#head.seq)
    if (this.readUpTo === '-1') this.#fault = { seq: 0, what: 'is missing from the chain' }
    else if (unchainedId !== undefined)
      this.#fault = { seq: null, what: `entry ${unchainedId} is in the log but not in the chain` }
    else if (beyond !== undefined)
      this.#fault = { seq: this.#head.seq + 1, what: `is missing, and all up to the anchor ${beyond.seq}` }
  }

  result(): ChainResult {
    return { entries: this.#head.seq, head: this.#head, fault: this.#fault }
  }
}

const faultOfBeginning = (row: ChainRow): string | null =>
  row.seq === '0' && row.hash === BEGINNING ? null : 'is not the beginning of a chain'
