import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import type { Logger } from '@looptide/service-kit/logger'
import { retryUntil } from '@looptide/service-kit/nats'
import { appendEvent } from '@looptide/service-kit/outbox'
import type { Background } from '@looptide/service-kit/run-service'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx } from '../../db/schema.ts'
import { DEFAULT_CHANNEL_ID } from '../../timeline/rules.ts'
import type { TimelineMemory } from '../../timeline/timeline-memory.ts'
import { insertChannel, type NewChannel } from './channel-repository.ts'

/** The channel every station has, as it is before an admin has touched it. */
export const defaultChannel: NewChannel = {
  id: DEFAULT_CHANNEL_ID,
  name: DEFAULT_BRAND.name,
  description: 'Music videos, around the clock.',
  position: 1,
  seed: DEFAULT_CHANNEL_ID,
  createdBy: null,
  shuffleEnabled: true,
}

/** Makes a channel and tells of it; undefined when there is one of this id. */
export async function makeChannel(trx: Trx, facts: NewChannel): Promise<ChannelRow | undefined> {
  const row = await insertChannel(trx, facts)
  if (row === undefined) return undefined
  const { id, name, isActive } = row
  await appendEvent(trx, 'stream.channel.created.v1', id, { channelId: id, name, isActive })
  return row
}

/** Sees to it that a new station has its default channel; an admin starts it when there is something to play. */
export class DefaultChannel implements Background {
  readonly #deps: { db: Kysely<Database>; memory: TimelineMemory; logger: Logger }
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: { db: Kysely<Database>; memory: TimelineMemory; logger: Logger }) {
    this.#deps = deps
  }

  /** Begins without waiting: the database may be away for a while. */
  start(): void {
    const { db, memory, logger } = this.#deps
    this.#running ??= retryUntil(
      async () => {
        const made = await db.transaction().execute((trx) => makeChannel(trx, defaultChannel))
        if (made === undefined) return
        await memory.refresh([DEFAULT_CHANNEL_ID])
        logger.info('made the default channel')
      },
      this.#stop.signal,
      (error) => logger.debug({ err: error }, 'the default channel cannot be looked for yet'),
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}
