import { newId } from '@looptide/service-kit/db/ids'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import {
  countLed,
  deleteHeartbeat,
  releaseChannels,
  takeChannels,
  writeHeartbeat,
} from './replica-repository.ts'

/**
 * The channels that this process leads. Each replica writes one heartbeat row a second for all its channels.
 * The channels of a replica whose heartbeat stops are taken over by the others, each up to an equal share. A new replica
 * receives channels from those that lead more than their share.
 *
 * Leadership only avoids duplicate work. A timeline is protected by the lock on its channel's row and by constraints, so
 * a leader that was suspended and has lost its channels cannot damage them.
 */
export class Leadership {
  readonly id = newId()
  readonly #db: Kysely<Database>

  constructor(db: Kysely<Database>) {
    this.#db = db
  }

  /** Writes the heartbeat, then acquires or releases channels. */
  async heartbeat(): Promise<void> {
    await writeHeartbeat(this.#db, this.id)
    const count = await countLed(this.#db, this.id)
    const fairShare = Math.ceil(count.total / Math.max(1, count.alive))
    if (count.orphaned > 0 && count.led < fairShare) {
      await takeChannels(this.#db, this.id, fairShare - count.led)
    }
    if (count.led > fairShare) await releaseChannels(this.#db, this.id, count.led - fairShare)
  }

  /** Deletes the heartbeat: the other replicas take over at their next one. */
  async leave(): Promise<void> {
    await deleteHeartbeat(this.#db, this.id)
  }
}
