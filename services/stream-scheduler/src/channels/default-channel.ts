import { DEFAULT_BRAND } from '@looptide/contracts/brand'
import { appendEvent } from '@looptide/service-kit/events/outbox'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { retryUntil } from '@looptide/service-kit/time/pause'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx } from '../db/schema.ts'
import { DEFAULT_CHANNEL_ID } from '../timeline/rules.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { insertChannel, type NewChannel } from './channel-repository.ts'

/** The initial values of the channel that every station has. */
export const defaultChannel: NewChannel = {
  id: DEFAULT_CHANNEL_ID,
  name: DEFAULT_BRAND.name,
  description: 'Music videos, around the clock.',
  position: 1,
  seed: DEFAULT_CHANNEL_ID,
  createdBy: null,
  shuffleEnabled: true,
}

/** Creates and publishes a channel; undefined if there is one with this id. */
export async function createChannelIfMissing(trx: Trx, channel: NewChannel): Promise<ChannelRow | undefined> {
  const row = await insertChannel(trx, channel)
  if (row === undefined) return undefined
  const { id, name, isActive } = row
  await appendEvent(trx, 'stream.channel.created.v1', id, { channelId: id, name, isActive })
  return row
}

/** Creates the default channel of a new station. An admin starts it when there are videos to play. */
export class DefaultChannel implements Background {
  readonly #deps: { db: Kysely<Database>; timelines: TimelineCache; logger: Logger }
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(deps: { db: Kysely<Database>; timelines: TimelineCache; logger: Logger }) {
    this.#deps = deps
  }

  /** Does not wait for the result: the database may be unavailable. */
  start(): void {
    const { db, timelines, logger } = this.#deps
    this.#running ??= retryUntil(
      async () => {
        const created = await db.transaction().execute((trx) => createChannelIfMissing(trx, defaultChannel))
        if (created === undefined) return
        await timelines.refresh([DEFAULT_CHANNEL_ID])
        logger.info('default channel created')
      },
      this.#stop.signal,
      (error) => logger.debug({ err: error }, 'default channel creation failed, retrying'),
    )
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }
}
