import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EventTables } from './event-tables.ts'
import { newId } from './ids.ts'

/** How long a lease lasts without being renewed (s, by the database's clock). */
const LEASE_S = 5
/** A holder renews, and others ask again, after this (ms). */
const ASK_EVERY_MS = 1000

/**
 * One process at a time holds the lease of a name: a row that says who, and until when by the database's clock. A
 * process that stops without closing its connection loses it after 5 s. Statements that only the holder may run
 * include {@link held}, so that a process that wakes up after losing the lease changes nothing.
 */
export class Lease {
  readonly #db: Kysely<EventTables>
  readonly #name: string
  readonly #holder = newId()
  #isHeld = false
  #askedAtMs = Number.NEGATIVE_INFINITY

  constructor(db: Kysely<EventTables>, name: string) {
    this.#db = db
    this.#name = name
  }

  /** Takes or renews the lease; asks the database at most once a second. False while another process holds it. */
  async hold(): Promise<boolean> {
    if (performance.now() - this.#askedAtMs < ASK_EVERY_MS) return this.#isHeld
    const askedAtMs = performance.now()
    const { rows } = await sql`
      insert into leases (name, holder, expires_at)
      values (${this.#name}, ${this.#holder}, clock_timestamp() + ${LEASE_S} * interval '1 s')
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at < clock_timestamp()
      returning name`.execute(this.#db)
    this.#askedAtMs = askedAtMs
    this.#isHeld = rows.length === 1
    return this.#isHeld
  }

  /** A query with one row if this process holds the lease, which then cannot be taken before the statement's end. */
  held(): RawBuilder<unknown> {
    return sql`select 1 from leases
      where name = ${this.#name} and holder = ${this.#holder} and expires_at > clock_timestamp() for share`
  }

  /** Gives the lease up, so that another process need not wait for its end. */
  async release(): Promise<void> {
    this.#isHeld = false
    this.#askedAtMs = Number.NEGATIVE_INFINITY
    await sql`delete from leases where name = ${this.#name} and holder = ${this.#holder}`.execute(this.#db)
  }
}
