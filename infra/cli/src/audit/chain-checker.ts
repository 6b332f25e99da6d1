import { createHash } from 'node:crypto'

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
  /** How many of them were pseudonymised. */
  pseudonymised: number
  /** The last link of the chain; sequence number 0 if there is none. */
  head: Anchor
  fault: ChainFault | null
}

const BEGINNING = '0'.repeat(64)

/** Walks the chain up to the first fault. */
export class ChainChecker {
  readonly #anchors: readonly Anchor[]
  /** Sequence number of the link that seals the entries of former releases; null if there is none. */
  readonly #seal: number | null
  /** Hash of the contents before the seal. */
  #sealed = BEGINNING
  #head: Anchor = { seq: 0, hash: BEGINNING }
  #entries = 0
  #pseudonymised = 0
  #fault: ChainFault | null = null
  /** Entry 0 is read first. */
  readUpTo = '-1'

  constructor(anchors: readonly Anchor[], seal: string | null) {
    this.#anchors = anchors
    this.#seal = seal === null ? null : Number(seal)
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
    this.#fault = { seq, what: 'has a different hash than the anchor' }
    return false
  }

  #faultOf(row: ChainRow, seq: number): string | null {
    if (row.seq !== String(seq)) return 'is missing from the chain'
    if (seq === this.#seal) {
      const isWhole = hashOf(this.#head.hash, Buffer.from(this.#sealed, 'hex')) === row.hash
      return isWhole ? null : 'is the seal of the entries before it, one of which has been changed'
    }
    if (!row.is_there) return `is missing from the log (id ${row.entry_id ?? 'unknown'})`
    if (!this.#isWhole(row, seq)) return `has been changed (id ${row.entry_id})`
    if (row.salt === null && row.is_young) return `was pseudonymised too early (id ${row.entry_id})`
    this.#entries += 1
    if (row.salt === null) this.#pseudonymised += 1
    return null
  }

  #isWhole(row: ChainRow, seq: number): boolean {
    if (row.digest === null) return false
    if (row.salt !== null && hashOf(row.salt, row.personal) !== row.digest) return false
    if (this.#seal === null || seq > this.#seal) return hashOf(this.#head.hash, row.content) === row.hash
    this.#sealed = hashOf(this.#sealed, row.content)
    // The hash covers personal data that is gone. The seal, which is checked later, covers the rest.
    if (row.salt === null) return true
    return hashOf(this.#head.hash, row.former ?? '') === row.hash
  }

  /** Call it after the last row. `unchainedId`: an entry of the log that is not in the chain. */
  end(unchainedId: string | undefined): void {
    const beyond = this.#anchors.find(({ seq }) => seq > this.#head.seq)
    if (this.readUpTo === '-1') this.#fault = { seq: 0, what: 'is missing from the chain' }
    else if (unchainedId !== undefined)
      this.#fault = { seq: null, what: `entry ${unchainedId} is in the log but not in the chain` }
    else if (beyond !== undefined)
      this.#fault = {
        seq: this.#head.seq + 1,
        what: `is missing, like all entries up to the anchor ${beyond.seq}`,
      }
  }

  result(): ChainResult {
    return {
      entries: this.#entries,
      pseudonymised: this.#pseudonymised,
      head: this.#head,
      fault: this.#fault,
    }
  }
}

const faultOfBeginning = (row: ChainRow): string | null =>
  row.seq === '0' && row.hash === BEGINNING ? null : 'is not the beginning of a chain'

/** SHA-256 of bytes in hex followed by `rest`, in hex. */
const hashOf = (before: string, rest: string | Buffer): string =>
  createHash('sha256').update(Buffer.from(before, 'hex')).update(rest).digest('hex')
