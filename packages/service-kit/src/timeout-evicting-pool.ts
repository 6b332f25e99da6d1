import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'

/**
 * A pool whose clients are thrown away when a query is not answered within the pool's `query_timeout`. The driver
 * alone would put such a client back, and whoever is given it next waits behind an answer that may never come: a
 * firewall that has forgotten a connection says nothing, and TCP itself gives up after a quarter of an hour only.
 */
export class TimeoutEvictingPool implements PostgresPool {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  get options(): object {
    return this.#pool.options
  }

  async connect(): Promise<PostgresPoolClient> {
    return new TimeoutEvictingClient(await this.#pool.connect())
  }

  end(): Promise<void> {
    return this.#pool.end()
  }
}

/** What the driver says when its `query_timeout` has passed. */
export const isQueryTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout'

class TimeoutEvictingClient implements PostgresPoolClient {
  readonly #client: PostgresPoolClient
  /** Set when the client is not ours any more. */
  #silence: Error | undefined

  constructor(client: PostgresPoolClient) {
    this.#client = client
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    what: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    return typeof what === 'string' ? this.#ask<R>(what, parameters) : this.#client.query(what)
  }

  async #ask<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The rollback of a transaction whose query was not answered.
    if (this.#silence !== undefined) throw this.#silence
    try {
      return await this.#client.query<R>(sql, parameters)
    } catch (error) {
      if (isQueryTimeout(error)) this.#throwAway(error)
      throw error
    }
  }

  #throwAway(silence: Error): void {
    if (this.#silence !== undefined) return
    this.#silence = silence
    this.#client.release(true)
  }

  release(destroy?: boolean): void {
    if (this.#silence === undefined) this.#client.release(destroy)
  }
}
