import type { StreamActionResult } from '@looptide/contracts/http/channels'
import { appendAudit } from '@looptide/service-kit/audit'
import { AppError, errors } from '@looptide/service-kit/errors'
import type { Cause } from '@looptide/service-kit/outbox'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx } from '../../db/schema.ts'
import type { ChannelKeeper } from '../../timeline/channel-keeper.ts'
import { finishSyncing, setStatus } from '../../timeline/stream-status.ts'
import type { TimelineMemory } from '../../timeline/timeline-memory.ts'
import { lockChannel } from '../../timeline/timeline-repository.ts'
import type { TimelineWriter } from '../../timeline/timeline-writer.ts'

interface StreamDeps {
  db: Kysely<Database>
  memory: TimelineMemory
  writer: TimelineWriter
  keeper: ChannelKeeper
  now: () => number
}

/** Start, stop and reset of a channel (docs/product/admin.md §4: idle → syncing → live; a failure returns to idle). */
export class StreamService {
  readonly #deps: StreamDeps

  constructor(deps: StreamDeps) {
    this.#deps = deps
  }

  /**
   * Puts a channel on the air. On one that is on the air already ("Restart"): what is on ends as planned, then the
   * loop begins anew. Throws `not_found`, or `unprocessable` when there is nothing to play.
   */
  start(id: string, cause: Cause): Promise<StreamActionResult> {
    return this.#build(id, 'start', cause)
  }

  /** As {@link start}, at once: what is on is cut. */
  reset(id: string, cause: Cause): Promise<StreamActionResult> {
    return this.#build(id, 'reset', cause)
  }

  /** Takes a channel off the air: what is on ends now. Throws `not_found`. */
  async stop(id: string, cause: Cause): Promise<StreamActionResult> {
    const { db, memory, writer, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      const channel = await lock(trx, id)
      if (channel.status !== 'idle') await writer.clear(trx, channel, now(), cause)
      await setStatus(trx, channel, 'idle', cause)
      await audit(trx, 'stop', channel, 'idle', cause)
    })
    return this.#answer(id, 0, memory)
  }

  /**
   * Two steps, so that everybody sees `syncing` while the timeline is built. A process that dies between them
   * leaves a channel that its leader goes on with.
   */
  async #build(id: string, action: 'start' | 'reset', cause: Cause): Promise<StreamActionResult> {
    const { db, memory, writer, keeper, now } = this.#deps
    const before = await db.transaction().execute(async (trx) => {
      const channel = await lock(trx, id)
      await setStatus(trx, channel, 'syncing', cause)
      return channel
    })
    const how = action === 'reset' ? 'reset' : 'restart'
    const videosCount = await db.transaction().execute(async (trx) => {
      const channel = await lock(trx, id)
      const count = await finishSyncing(trx, writer, channel, now(), how, cause)
      await audit(trx, action, before, count > 0 ? 'live' : 'idle', cause)
      return count
    })
    keeper.nudge()
    if (videosCount === 0) {
      await memory.refresh([id])
      throw new AppError('unprocessable', 'There is nothing to play: add videos to this channel first.')
    }
    return this.#answer(id, videosCount, memory)
  }

  async #answer(id: string, videosCount: number, memory: TimelineMemory): Promise<StreamActionResult> {
    await memory.refresh([id])
    const known = memory.get(id)
    if (known === undefined) throw errors.notFound('This channel')
    const { status, timelineVersion } = known.facts
    return { success: true, status, videosCount, timelineVersion }
  }
}

async function lock(trx: Trx, id: string): Promise<ChannelRow> {
  const channel = await lockChannel(trx, id)
  if (channel === undefined) throw errors.notFound('This channel')
  return channel
}

async function audit(
  trx: Trx,
  action: 'start' | 'stop' | 'reset',
  channel: ChannelRow,
  after: string,
  cause: Cause,
): Promise<void> {
  await appendAudit(
    trx,
    'stream.audit.recorded.v1',
    {
      action: `stream.${action}`,
      targetType: 'channel',
      targetId: channel.id,
      before: { status: channel.status },
      after: { status: after },
      details: { channelName: channel.name },
    },
    cause,
  )
}
