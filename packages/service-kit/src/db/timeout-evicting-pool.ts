import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'

/**
 * A pool that closes a client whose query exceeded the pool's `query_timeout`. The driver alone would return the client
 * to the pool, and the next query would wait behind a reply that may never come: a firewall may drop a connection
 * silently, and TCP gives up only after 15 minutes.
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

/** Whether the driver's `query_timeout` has passed. */
const isQueryTimeout = (error: unknown): error is Error =>
  error instanceof Error && error.message === 'Query read timeout'

class TimeoutEvictingClient implements PostgresPoolClient {
  readonly #client: PostgresPoolClient
  /** Set after the client was closed. */
  #timeout: Error | undefined

  constructor(client: PostgresPoolClient) {
    this.#client = client
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    query: string | PostgresCursor<R>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    return typeof query === 'string' ? this.#run<R>(query, parameters) : this.#client.query(query)
  }

  async #run<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // Reached by the rollback of a transaction whose query timed out.
    if (this.#timeout !== undefined) throw this.#timeout
    try {
      return await this.#client.query<R>(sql, parameters)
    } catch (error) {
      if (isQueryTimeout(error)) this.#evict(error)
      throw error
    }
  }

  #evict(timeout: Error): void {
    if (this.#timeout !== undefined) return
    this.#timeout = timeout
    this.#client.release(true)
  }

  release(destroy?: boolean): void {
    if (this.#timeout === undefined) this.#client.release(destroy)
  }
}
