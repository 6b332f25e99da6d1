import type { Envelope } from '@looptide/contracts/events'
import type { Redis } from 'ioredis'
import { KEY_PREFIX, withRedis } from '../redis.ts'

const KEY = `${KEY_PREFIX}:audit-events`
/** Field of an entry that contains the event as JSON. */
const FIELD = 'event'
/** Entries that are read at once. */
const PAGE = 100

export type AuditEnvelope = Envelope<'metadata.audit.recorded.v1'>

/**
 * The worker's latest audit events, in a Redis stream. Redis syncs once a second and NATS every two minutes, so an event
 * that a power cut of NATS has lost can be published again. At most `maxCount` events are kept, the newest ones; each has
 * at most three values of 48 KiB (`auditData`).
 */
export class KeptAuditEvents {
  readonly #redis: Redis
  readonly #maxCount: number

  constructor(redis: Redis, maxCount: number) {
    this.#redis = redis
    this.#maxCount = maxCount
  }

  /** Stores an event and returns the id of its entry. Throws `service_unavailable` during an outage of Redis. */
  async add(event: AuditEnvelope): Promise<string> {
    const id = await withRedis(() =>
      this.#redis.xadd(KEY, 'MAXLEN', this.#maxCount, '*', FIELD, JSON.stringify(event)),
    )
    if (id === null) throw new Error('Redis has not stored the audit event')
    return id
  }

  async remove(entryId: string): Promise<void> {
    await withRedis(() => this.#redis.xdel(KEY, entryId))
  }

  /** All events in order, in pages. */
  async *pages(): AsyncGenerator<AuditEnvelope[]> {
    for (let from = '-'; ; ) {
      const entries = await withRedis(() => this.#redis.xrange(KEY, from, '+', 'COUNT', PAGE))
      const last = entries.at(-1)
      if (last === undefined) return
      yield entries.map(([, [, event = '']]) => JSON.parse(event) as AuditEnvelope)
      from = `(${last[0]}`
    }
  }

  /** Removes the events that were stored more than `ageMs` ago, by the clock of Redis, which also numbers the entries. */
  async removeOlderThan(ageMs: number): Promise<void> {
    await withRedis(async () => {
      const [seconds] = await this.#redis.time()
      await this.#redis.xtrim(KEY, 'MINID', Number(seconds) * 1000 - ageMs)
    })
  }
}
