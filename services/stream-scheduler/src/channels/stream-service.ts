import type { StreamActionResult } from '@looptide/contracts/http/channels'
import { appendAudit } from '@looptide/service-kit/audit/audit'
import type { Cause } from '@looptide/service-kit/events/outbox'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx } from '../db/schema.ts'
import { deleteTakeover } from '../takeover/takeover-repository.ts'
import { finishSyncing, setStatus } from '../timeline/stream-status.ts'
import type { TimelineCache } from '../timeline/timeline-cache.ts'
import { lockChannel } from '../timeline/timeline-repository.ts'
import type { TimelineWorker } from '../timeline/timeline-worker.ts'
import type { TimelineWriter } from '../timeline/timeline-writer.ts'

interface StreamDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  writer: TimelineWriter
  worker: TimelineWorker
  now: () => number
}

/**
 * Starts, stops and resets channels. Status: idle → syncing → live; a failed start returns to idle. Each of them ends a
 * takeover.
 */
export class StreamService {
  readonly #deps: StreamDeps

  constructor(deps: StreamDeps) {
    this.#deps = deps
  }

  /**
   * Puts a channel on the air. On a channel that is on the air ("Restart"), the current programme ends as planned and the
   * loop starts again. Throws `not_found`, or `unprocessable` if there is nothing to play.
   */
  start(id: string, cause: Cause): Promise<StreamActionResult> {
    return this.#build(id, 'start', cause)
  }

  /** Like {@link start}, but cuts the current programme short. */
  reset(id: string, cause: Cause): Promise<StreamActionResult> {
    return this.#build(id, 'reset', cause)
  }

  /** Takes a channel off the air and ends the current programme. Throws `not_found`. */
  async stop(id: string, cause: Cause): Promise<StreamActionResult> {
    const { db, timelines, writer, now } = this.#deps
    await db.transaction().execute(async (trx) => {
      const channel = await lock(trx, id)
      await deleteTakeover(trx, id)
      if (channel.status !== 'idle') await writer.clear(trx, channel, now(), cause)
      await setStatus(trx, channel, 'idle', cause)
      await audit(trx, 'stop', channel, 'idle', cause)
    })
    return this.#result(id, 0, timelines)
  }

  /**
   * Two transactions, so that `syncing` is visible while the timeline is built. If the process ends between them, the
   * channel's leader finishes the start.
   */
  async #build(id: string, action: 'start' | 'reset', cause: Cause): Promise<StreamActionResult> {
    const { db, timelines, writer, worker, now } = this.#deps
    const before = await db.transaction().execute(async (trx) => {
      const channel = await lock(trx, id)
      await deleteTakeover(trx, id)
      await setStatus(trx, channel, 'syncing', cause)
      return channel
    })
    const mode = action === 'reset' ? 'reset' : 'restart'
    const videosCount = await db.transaction().execute(async (trx) => {
      const channel = await lock(trx, id)
      const count = await finishSyncing(trx, writer, channel, now(), mode, cause)
      await audit(trx, action, before, count > 0 ? 'live' : 'idle', cause)
      return count
    })
    worker.wake()
    if (videosCount === 0) {
      await timelines.refresh([id])
      throw new AppError('unprocessable', 'There is nothing to play: add videos to this channel first.')
    }
    return this.#result(id, videosCount, timelines)
  }

  async #result(id: string, videosCount: number, timelines: TimelineCache): Promise<StreamActionResult> {
    await timelines.refresh([id])
    const channel = timelines.get(id)
    if (channel === undefined) throw errors.notFound('This channel')
    const { status, timelineVersion } = channel.row
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
