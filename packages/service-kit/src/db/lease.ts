import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EventTables } from './event-tables.ts'
import { newId } from './ids.ts'

/** Duration of a lease without renewal, in s by the database's clock. */
const LEASE_S = 5
/** Interval at which the holder renews the lease and others request it, in ms. */
const RENEW_INTERVAL_MS = 1000

/**
 * A lease that one process holds at a time: a row with the holder and the expiry time by the database's clock. A process
 * that stops without releasing it loses it after 5 s. Statements that only the holder may run include {@link held}, so
 * that a process that was suspended and has lost the lease changes nothing.
 */
export class Lease {
  readonly #db: Kysely<EventTables>
  readonly #name: string
  readonly #holder = newId()
  #isHeld = false
  #requestedAtMs = Number.NEGATIVE_INFINITY

  constructor(db: Kysely<EventTables>, name: string) {
    this.#db = db
    this.#name = name
  }

  /** Acquires or renews the lease. Queries the database at most once a second. False while another process holds it. */
  async hold(): Promise<boolean> {
    if (performance.now() - this.#requestedAtMs < RENEW_INTERVAL_MS) return this.#isHeld
    const requestedAtMs = performance.now()
    const { rows } = await sql`
      insert into leases (name, holder, expires_at)
      values (${this.#name}, ${this.#holder}, clock_timestamp() + ${LEASE_S} * interval '1 s')
      on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
      where leases.holder = excluded.holder or leases.expires_at < clock_timestamp()
      returning name`.execute(this.#db)
    this.#requestedAtMs = requestedAtMs
    this.#isHeld = rows.length === 1
    return this.#isHeld
  }

  /** A query that returns one row if this process holds the lease, and locks the lease until the end of the statement. */
  held(): RawBuilder<unknown> {
    return sql`select 1 from leases
      where name = ${this.#name} and holder = ${this.#holder} and expires_at > clock_timestamp() for share`
  }

  /** Releases the lease, so that another process need not wait until it expires. */
  async release(): Promise<void> {
    this.#isHeld = false
    this.#requestedAtMs = Number.NEGATIVE_INFINITY
    await sql`delete from leases where name = ${this.#name} and holder = ${this.#holder}`.execute(this.#db)
  }
}
