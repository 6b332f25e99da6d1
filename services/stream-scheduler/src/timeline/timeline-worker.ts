import { isOutage } from '@looptide/service-kit/http/errors'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { pause } from '@looptide/service-kit/time/pause'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx } from '../db/schema.ts'
import { decideRequests } from '../queues/planned-requests.ts'
import { findDueDecisions } from '../queues/request-plan-repository.ts'
import type { Leadership } from './leadership.ts'
import { EXTEND_BELOW_MS, GUARD_MS } from './rules.ts'
import { findStaleChannels, unmarkStale } from './stale-repository.ts'
import { finishSyncing } from './stream-status.ts'
import type { CachedChannel, TimelineCache } from './timeline-cache.ts'
import { lockChannel, lockFreeChannels } from './timeline-repository.ts'
import type { TimelineWriter } from './timeline-writer.ts'

interface WorkerDeps {
  db: Kysely<Database>
  timelines: TimelineCache
  writer: TimelineWriter
  leadership: Leadership
  logger: Logger
  now: () => number
}

const HEARTBEAT_MS = 1000
/** Shortest time (ms) between two rebuilds of a channel: a hundred changed videos, one by one, cause a few rebuilds. */
const REBUILD_INTERVAL_MS = 2000
/** A channel with nothing to play is tried again after this time (ms), or when a video changes. */
const EMPTY_RETRY_MS = 15_000
/** A start that takes longer than this (ms) was interrupted, and the leader finishes it. */
const SYNCING_STUCK_MS = 5000
/** Maximum number of channels whose started programmes are entered into the air log in one transaction. */
const LOG_CHUNK = 200

/**
 * Maintains the timelines of the channels that this process leads: extends them, enters started programmes into the air
 * log, rebuilds stale ones. Runs when the next programme starts, and at least once a second.
 */
export class TimelineWorker implements Background {
  readonly #deps: WorkerDeps
  readonly #stop = new AbortController()
  readonly #emptyUntil = new Map<string, number>()
  readonly #rebuiltAt = new Map<string, number>()
  #wakeUp: () => void = () => undefined
  #isWoken = false
  #running: Promise<void> | undefined
  #lastHeartbeat = Number.NEGATIVE_INFINITY
  #pass: Promise<void> = Promise.resolve()

  constructor(deps: WorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#wakeUp()
    await this.#running
    await this.#deps.leadership.leave().catch(() => undefined)
  }

  /** Starts the next pass now, because something has changed. */
  wake(): void {
    this.#isWoken = true
    this.#wakeUp()
  }

  /** Runs one pass with all tasks, independently of their intervals. For tests. */
  async runOnce(): Promise<void> {
    await this.#queuePass(() => {
      this.#lastHeartbeat = Number.NEGATIVE_INFINITY
      this.#emptyUntil.clear()
      this.#rebuiltAt.clear()
    })
  }

  async #run(): Promise<void> {
    let isFailing = false
    while (!this.#stop.signal.aborted) {
      try {
        await this.#queuePass()
        if (isFailing) this.#deps.logger.info('timeline worker recovered')
        isFailing = false
      } catch (error) {
        if (!isFailing) this.#deps.logger.warn({ err: error }, 'timeline worker stalled')
        isFailing = true
      }
      if (!this.#isWoken || isFailing) await this.#sleep(isFailing)
      this.#isWoken = false
    }
  }

  async #sleep(isFailing: boolean): Promise<void> {
    const woken = new AbortController()
    this.#wakeUp = () => woken.abort()
    const untilNext = this.#nextStart() - this.#deps.now()
    const ms = isFailing ? HEARTBEAT_MS : Math.max(5, Math.min(HEARTBEAT_MS, untilNext))
    await pause(ms, AbortSignal.any([woken.signal, this.#stop.signal]))
  }

  /** Runs a pass after the previous one. `prepare` runs in between, since the previous pass may change what it sets. */
  #queuePass(prepare: () => void = () => undefined): Promise<void> {
    this.#pass = this.#pass
      .catch(() => undefined)
      .then(() => {
        prepare()
        return this.#runPass()
      })
    return this.#pass
  }

  async #runPass(): Promise<void> {
    const monotonicMs = performance.now()
    if (monotonicMs - this.#lastHeartbeat >= HEARTBEAT_MS) {
      await this.#deps.leadership.heartbeat()
      await this.#deps.timelines.refresh()
      this.#lastHeartbeat = monotonicMs
      await this.#rebuildStale(monotonicMs)
      await this.#finishStarts()
      await this.#extendShort(monotonicMs)
      await this.#decideRequests()
    }
    await this.#logStarted()
  }

  #ledChannels(): CachedChannel[] {
    const { timelines, leadership } = this.#deps
    return timelines.all().filter(({ row }) => row.leader === leadership.id && row.status !== 'idle')
  }

  async #extendShort(monotonicMs: number): Promise<void> {
    const short = this.#ledChannels().filter(
      ({ row }) =>
        row.status === 'live' &&
        (row.endsAtMs ?? 0) < this.#deps.now() + EXTEND_BELOW_MS &&
        (this.#emptyUntil.get(row.id) ?? 0) <= monotonicMs,
    )
    for (const { row } of short) {
      const isExtended = await this.#change(row.id, async (trx, channel) =>
        this.#deps.writer.extend(trx, channel, this.#deps.now()),
      )
      if (isExtended === false) this.#emptyUntil.set(row.id, monotonicMs + EMPTY_RETRY_MS)
    }
  }

  async #rebuildStale(monotonicMs: number): Promise<void> {
    const { db, leadership, writer, now } = this.#deps
    for (const id of await findStaleChannels(db, leadership.id)) {
      if ((this.#rebuiltAt.get(id) ?? Number.NEGATIVE_INFINITY) > monotonicMs - REBUILD_INTERVAL_MS) continue
      this.#rebuiltAt.set(id, monotonicMs)
      this.#emptyUntil.delete(id)
      await this.#change(id, async (trx, channel) => {
        const kept = await unmarkStale(trx, id)
        const keepMs = kept === 'frozen' ? kept : GUARD_MS
        if (channel.status === 'live') await writer.replan(trx, channel, now(), 'edit', {}, keepMs)
      })
    }
  }

  async #decideRequests(): Promise<void> {
    const { db, leadership, now } = this.#deps
    for (const id of await findDueDecisions(db, leadership.id, now())) {
      await this.#change(id, (trx) => decideRequests(trx, id, now()))
    }
  }

  async #finishStarts(): Promise<void> {
    const stuck = this.#ledChannels().filter(
      ({ row }) => row.status === 'syncing' && Date.now() - row.statusChangedAt.getTime() > SYNCING_STUCK_MS,
    )
    for (const { row } of stuck) {
      await this.#change(row.id, async (trx, channel) =>
        finishSyncing(trx, this.#deps.writer, channel, this.#deps.now(), 'edit', {}),
      )
    }
  }

  /** Enters started programmes that are not in the air log yet. */
  async #logStarted(): Promise<void> {
    const { db, timelines, writer, leadership, now } = this.#deps
    const nowMs = now()
    const due = this.#ledChannels()
      .filter((channel) => startOfNext(channel) <= nowMs)
      .map((channel) => channel.row.id)
    for (let at = 0; at < due.length; at += LOG_CHUNK) {
      const ids = due.slice(at, at + LOG_CHUNK)
      await db.transaction().execute(async (trx) => {
        const locked = await lockFreeChannels(trx, ids)
        const led = locked.filter((channel) => channel.leader === leadership.id)
        if (led.length > 0)
          await writer.logStarted(
            trx,
            led.map((channel) => channel.id),
            nowMs,
          )
      })
      await timelines.refresh(ids)
    }
  }

  #nextStart(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#ledChannels().map(startOfNext))
  }

  /**
   * Changes one channel in its own transaction, if it exists and this process leads it. An error is logged and the
   * other channels continue; an outage ends the pass.
   */
  async #change<T>(
    id: string,
    change: (trx: Trx, channel: ChannelRow) => Promise<T>,
  ): Promise<T | undefined> {
    const { db, timelines, leadership, logger } = this.#deps
    try {
      const result = await db.transaction().execute(async (trx) => {
        const channel = await lockChannel(trx, id)
        if (channel === undefined || (channel.leader !== leadership.id && channel.status !== 'idle')) return
        return change(trx, channel)
      })
      await timelines.refresh([id])
      return result
    } catch (error) {
      if (isOutage(error)) throw error
      logger.error({ err: error, channelId: id }, 'channel update failed')
      return undefined
    }
  }
}

/** Start of the first programme that is not in the air log (epoch ms); infinity if there is none. */
function startOfNext({ row, programmes }: CachedChannel): number {
  const index = row.airedSeq + 1 - (programmes[0]?.seq ?? 0)
  return programmes[Math.max(0, index)]?.startsAtMs ?? Number.POSITIVE_INFINITY
}
