import type { Envelope } from '@looptide/contracts/events'
import type { DeadLetter } from '@looptide/contracts/http/admin'
import { type Inbox, MAX_REJECTED } from '@looptide/service-kit/inbox'
import type { Redis } from 'ioredis'
import { KEY_PREFIX, withRedis } from '../redis.ts'

/** Longer than a stream keeps an event. */
const REMEMBER_S = 8 * 86_400
const DAY_S = 86_400
const MOST_DEAD_LETTERS = 1000
const DEAD = `${KEY_PREFIX}:dead-letters`

/**
 * An inbox without transactions. The effect comes first and the mark after it, so that a crash between
 * them repeats the effect and never loses it; effects here are made to be repeatable: putting the same
 * look-up into the queue again puts nothing.
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
      const mark = `${KEY_PREFIX}:inbox:${consumer}:${envelope.id}`
      if ((await this.#redis.exists(mark)) === 1) return 'duplicate'
      await effect(null)
      await this.#redis.set(mark, '1', 'EX', REMEMBER_S)
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
      const id = String(await this.#redis.incr(`${DEAD}:last-id`))
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
      await this.#redis.multi().hset(DEAD, id, JSON.stringify(letter)).zadd(`${DEAD}:ids`, id, id).exec()
      await this.#forgetOldest()
    })
  }

  /** At most {@link MAX_REJECTED} a day: more would push genuine dead letters out of the list. */
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

  async #forgetOldest(): Promise<void> {
    const tooMany = await this.#redis.zrange(`${DEAD}:ids`, 0, String(-MOST_DEAD_LETTERS - 1))
    if (tooMany.length === 0) return
    await this.#redis
      .multi()
      .hdel(DEAD, ...tooMany)
      .zrem(`${DEAD}:ids`, ...tooMany)
      .exec()
  }

  async isWritable(): Promise<boolean> {
    return this.#redis.ping().then(
      () => true,
      () => false,
    )
  }

  /** Marks run out by themselves. */
  async prune(): Promise<void> {}

  /** The newest first, from below `beforeId` on. */
  async deadLetters(limit: number, beforeId: number | undefined): Promise<DeadLetter[]> {
    return withRedis(async () => {
      const highest = beforeId === undefined ? '+inf' : `(${String(beforeId)}`
      const ids = await this.#redis.zrange(
        `${DEAD}:ids`,
        highest,
        '-inf',
        'BYSCORE',
        'REV',
        'LIMIT',
        0,
        limit,
      )
      if (ids.length === 0) return []
      const letters = await this.#redis.hmget(DEAD, ...ids)
      return letters.flatMap((letter) => (letter === null ? [] : [JSON.parse(letter) as DeadLetter]))
    })
  }

  async findDeadLetter(id: string): Promise<DeadLetter | null> {
    const letter = await withRedis(() => this.#redis.hget(DEAD, id))
    return letter === null ? null : (JSON.parse(letter) as DeadLetter)
  }

  /** False when it was gone already. */
  async dropDeadLetter(id: string): Promise<boolean> {
    const dropped = await withRedis(() => this.#redis.multi().hdel(DEAD, id).zrem(`${DEAD}:ids`, id).exec())
    return dropped?.[0]?.[1] === 1
  }

  async markReplayed(letter: DeadLetter): Promise<void> {
    const replayed = { ...letter, replayedAt: new Date().toISOString() }
    await withRedis(() => this.#redis.hset(DEAD, letter.id, JSON.stringify(replayed)))
  }
}
