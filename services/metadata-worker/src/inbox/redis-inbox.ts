import type { Envelope } from '@looptide/contracts/events'
import type { DeadLetter } from '@looptide/contracts/http/admin'
import { type Inbox, MAX_REJECTED } from '@looptide/service-kit/events/inbox'
import type { Redis } from 'ioredis'
import { KEY_PREFIX, withRedis } from '../redis.ts'

/** Retention of processed event ids, in s: longer than the stream's retention of events. */
const RETENTION_S = 8 * 86_400
const DAY_S = 86_400
const MAX_DEAD_LETTERS = 1000
const DEAD_LETTERS_KEY = `${KEY_PREFIX}:dead-letters`

/**
 * An inbox in Redis, without transactions. It runs the effect before it stores the event id, so a crash in between repeats
 * the effect and never loses it. The effects are idempotent: queueing an existing look-up again changes nothing.
 */
export class RedisInbox implements Inbox<null> {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async applyOnce(
    consumer: string,
    envelope: Envelope,
    effect: (context: null) => Promise<void>,
  ): Promise<'applied' | 'duplicate'> {
    return withRedis(async () => {
      const key = `${KEY_PREFIX}:inbox:${consumer}:${envelope.id}`
      if ((await this.#redis.exists(key)) === 1) return 'duplicate'
      await effect(null)
      await this.#redis.set(key, '1', 'EX', RETENTION_S)
      return 'applied'
    })
  }

  async deadLetter(
    consumer: string,
    subject: string,
    eventId: string | null,
    envelope: unknown,
    error: string,
  ): Promise<void> {
    await withRedis(async () => {
      const id = String(await this.#redis.incr(`${DEAD_LETTERS_KEY}:last-id`))
      const letter: DeadLetter = {
        id,
        consumer,
        subject,
        eventId,
        envelope,
        error,
        failedAt: new Date().toISOString(),
        replayedAt: null,
      }
      await this.#redis
        .multi()
        .hset(DEAD_LETTERS_KEY, id, JSON.stringify(letter))
        .zadd(`${DEAD_LETTERS_KEY}:ids`, id, id)
        .exec()
      await this.#deleteOldest()
    })
  }

  /** Keeps at most {@link MAX_REJECTED} rejected messages a day, so that they cannot displace genuine dead letters. */
  async storeRejected(
    consumer: string,
    subject: string,
    body: unknown,
    reason: string,
  ): Promise<'kept' | 'dropped'> {
    const counter = `${KEY_PREFIX}:rejected:${consumer}`
    const count = await withRedis(async () => {
      const [, [, value] = []] =
        (await this.#redis.multi().set(counter, 0, 'EX', DAY_S, 'NX').incr(counter).exec()) ?? []
      return Number(value)
    })
    if (count > MAX_REJECTED) return 'dropped'
    await this.deadLetter(consumer, subject, null, body, reason)
    return 'kept'
  }

  async #deleteOldest(): Promise<void> {
    const oldest = await this.#redis.zrange(`${DEAD_LETTERS_KEY}:ids`, 0, String(-MAX_DEAD_LETTERS - 1))
    if (oldest.length === 0) return
    await this.#redis
      .multi()
      .hdel(DEAD_LETTERS_KEY, ...oldest)
      .zrem(`${DEAD_LETTERS_KEY}:ids`, ...oldest)
      .exec()
  }

  async isWritable(): Promise<boolean> {
    return this.#redis.ping().then(
      () => true,
      () => false,
    )
  }

  /** Nothing to do: stored event ids expire. */
  async prune(): Promise<void> {}

  /** Dead letters with an id below `beforeId`, newest first. */
  async deadLetters(limit: number, beforeId: number | undefined): Promise<DeadLetter[]> {
    return withRedis(async () => {
      const highest = beforeId === undefined ? '+inf' : `(${String(beforeId)}`
      const ids = await this.#redis.zrange(
        `${DEAD_LETTERS_KEY}:ids`,
        highest,
        '-inf',
        'BYSCORE',
        'REV',
        'LIMIT',
        0,
        limit,
      )
      if (ids.length === 0) return []
      const letters = await this.#redis.hmget(DEAD_LETTERS_KEY, ...ids)
      return letters.flatMap((letter) => (letter === null ? [] : [JSON.parse(letter) as DeadLetter]))
    })
  }

  async findDeadLetter(id: string): Promise<DeadLetter | null> {
    const letter = await withRedis(() => this.#redis.hget(DEAD_LETTERS_KEY, id))
    return letter === null ? null : (JSON.parse(letter) as DeadLetter)
  }

  /** Deletes a dead letter. Returns false if it does not exist. */
  async dropDeadLetter(id: string): Promise<boolean> {
    const dropped = await withRedis(() =>
      this.#redis.multi().hdel(DEAD_LETTERS_KEY, id).zrem(`${DEAD_LETTERS_KEY}:ids`, id).exec(),
    )
    return dropped?.[0]?.[1] === 1
  }

  async markReplayed(letter: DeadLetter): Promise<void> {
    const replayed = { ...letter, replayedAt: new Date().toISOString() }
    await withRedis(() => this.#redis.hset(DEAD_LETTERS_KEY, letter.id, JSON.stringify(replayed)))
  }
}
