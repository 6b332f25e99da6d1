import { isOutage } from '@looptide/service-kit/errors'
import type { Logger } from '@looptide/service-kit/logger'
import { pause } from '@looptide/service-kit/nats'
import type { Background } from '@looptide/service-kit/run-service'
import type { Kysely } from 'kysely'
import type { ChannelRow, Database, Trx } from '../db/schema.ts'
import type { Leadership } from './leadership.ts'
import { EXTEND_BELOW_MS } from './rules.ts'
import { staleChannels, unmarkStale } from './stale-repository.ts'
import { finishSyncing } from './stream-status.ts'
import type { KnownChannel, TimelineMemory } from './timeline-memory.ts'
import { lockChannel, lockFreeChannels } from './timeline-repository.ts'
import type { TimelineWriter } from './timeline-writer.ts'

interface KeeperDeps {
  db: Kysely<Database>
  memory: TimelineMemory
  writer: TimelineWriter
  leadership: Leadership
  logger: Logger
  now: () => number
}

const BEAT_MS = 1000
/** A channel is rebuilt for changed videos at most this often (ms): a hundred arriving one by one are a few rebuilds. */
const REBUILD_EVERY_MS = 2000
/** A channel that has nothing to play is looked at again after this (ms), or when a video changes. */
const EMPTY_AGAIN_MS = 15_000
/** A start that is still under way after this (ms) was left by a process that died: it is finished. */
const SYNCING_STUCK_MS = 5000
/** Programmes of how many channels are entered in one transaction. */
const LOG_CHUNK = 200

/**
 * Keeps the channels this process leads on the air: extends their timelines, enters what begins, rebuilds
 * what has become stale. Sleeps until the next programme begins, or for a second.
 */
export class ChannelKeeper implements Background {
  readonly #deps: KeeperDeps
  readonly #stop = new AbortController()
  readonly #emptyUntil = new Map<string, number>()
  readonly #rebuiltAt = new Map<string, number>()
  #wake: () => void = () => undefined
  #woken = false
  #running: Promise<void> | undefined
  #lastBeat = Number.NEGATIVE_INFINITY
  #working: Promise<void> = Promise.resolve()

  constructor(deps: KeeperDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#wake()
    await this.#running
    await this.#deps.leadership.leave().catch(() => undefined)
  }

  /** Something has changed: look now instead of in a second. */
  nudge(): void {
    this.#woken = true
    this.#wake()
  }

  /** One round of all that is due now, whatever the last round did. For tests; the loop does the same. */
  async workNow(): Promise<void> {
    await this.#round(() => {
      this.#lastBeat = Number.NEGATIVE_INFINITY
      this.#emptyUntil.clear()
      this.#rebuiltAt.clear()
    })
  }

  async #run(): Promise<void> {
    let away = false
    while (!this.#stop.signal.aborted) {
      try {
        await this.#round()
        if (away) this.#deps.logger.info('the database is back')
        away = false
      } catch (error) {
        if (!away) this.#deps.logger.warn({ err: error }, 'the timelines cannot be kept just now')
        away = true
      }
      if (!this.#woken || away) await this.#nap(away)
      this.#woken = false
    }
  }

  async #nap(away: boolean): Promise<void> {
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    const untilNext = this.#nextStart() - this.#deps.now()
    const ms = away ? BEAT_MS : Math.max(5, Math.min(BEAT_MS, untilNext))
    await pause(ms, AbortSignal.any([woken.signal, this.#stop.signal]))
  }

  /** One after another: `prepare` runs when the round before has ended, which may still change what it prepares. */
  #round(prepare: () => void = () => undefined): Promise<void> {
    this.#working = this.#working
      .catch(() => undefined)
      .then(() => {
        prepare()
        return this.#work()
      })
    return this.#working
  }

  async #work(): Promise<void> {
    const monotonicMs = performance.now()
    if (monotonicMs - this.#lastBeat >= BEAT_MS) {
      await this.#deps.leadership.beat()
      await this.#deps.memory.refresh()
      this.#lastBeat = monotonicMs
      await this.#rebuildStale(monotonicMs)
      await this.#finishStarts()
      await this.#extendShort(monotonicMs)
    }
    await this.#logStarted()
  }

  #led(): KnownChannel[] {
    const { memory, leadership } = this.#deps
    return memory.all().filter(({ facts }) => facts.leader === leadership.id && facts.status !== 'idle')
  }

  async #extendShort(monotonicMs: number): Promise<void> {
    const short = this.#led().filter(
      ({ facts }) =>
        facts.status === 'live' &&
        (facts.endsAtMs ?? 0) < this.#deps.now() + EXTEND_BELOW_MS &&
        (this.#emptyUntil.get(facts.id) ?? 0) <= monotonicMs,
    )
    for (const { facts } of short) {
      const grew = await this.#change(facts.id, async (trx, channel) =>
        this.#deps.writer.extend(trx, channel, this.#deps.now()),
      )
      if (grew === false) this.#emptyUntil.set(facts.id, monotonicMs + EMPTY_AGAIN_MS)
    }
  }

  async #rebuildStale(monotonicMs: number): Promise<void> {
    const { db, leadership, writer, now } = this.#deps
    for (const id of await staleChannels(db, leadership.id)) {
      if ((this.#rebuiltAt.get(id) ?? Number.NEGATIVE_INFINITY) > monotonicMs - REBUILD_EVERY_MS) continue
      this.#rebuiltAt.set(id, monotonicMs)
      this.#emptyUntil.delete(id)
      await this.#change(id, async (trx, channel) => {
        await unmarkStale(trx, id)
        if (channel.status === 'live') await writer.replan(trx, channel, now(), 'edit')
      })
    }
  }

  async #finishStarts(): Promise<void> {
    const stuck = this.#led().filter(
      ({ facts }) =>
        facts.status === 'syncing' && Date.now() - facts.statusChangedAt.getTime() > SYNCING_STUCK_MS,
    )
    for (const { facts } of stuck) {
      await this.#change(facts.id, async (trx, channel) =>
        finishSyncing(trx, this.#deps.writer, channel, this.#deps.now(), 'edit', {}),
      )
    }
  }

  /** Channels on which a programme has begun that is not in the air log yet. */
  async #logStarted(): Promise<void> {
    const { db, memory, writer, leadership, now } = this.#deps
    const nowMs = now()
    const due = this.#led()
      .filter((channel) => startOfNext(channel) <= nowMs)
      .map((channel) => channel.facts.id)
    for (let at = 0; at < due.length; at += LOG_CHUNK) {
      const ids = due.slice(at, at + LOG_CHUNK)
      await db.transaction().execute(async (trx) => {
        const locked = await lockFreeChannels(trx, ids)
        const mine = locked.filter((channel) => channel.leader === leadership.id)
        if (mine.length > 0)
          await writer.logStarted(
            trx,
            mine.map((channel) => channel.id),
            nowMs,
          )
      })
      await memory.refresh(ids)
    }
  }

  #nextStart(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#led().map(startOfNext))
  }

  /**
   * Changes one channel in a transaction of its own, if it is still there and ours. A fault is logged and leaves
   * the others in peace; an outage ends the round.
   */
  async #change<T>(
    id: string,
    change: (trx: Trx, channel: ChannelRow) => Promise<T>,
  ): Promise<T | undefined> {
    const { db, memory, leadership, logger } = this.#deps
    try {
      const result = await db.transaction().execute(async (trx) => {
        const channel = await lockChannel(trx, id)
        if (channel === undefined || (channel.leader !== leadership.id && channel.status !== 'idle')) return
        return change(trx, channel)
      })
      await memory.refresh([id])
      return result
    } catch (error) {
      if (isOutage(error)) throw error
      logger.error({ err: error, channelId: id }, 'a channel could not be brought up to date')
      return undefined
    }
  }
}

/** When the first programme begins that is not in the air log (epoch ms); infinity when there is none. */
function startOfNext({ facts, programmes }: KnownChannel): number {
  const index = facts.airedSeq + 1 - (programmes[0]?.seq ?? 0)
  return programmes[Math.max(0, index)]?.startsAtMs ?? Number.POSITIVE_INFINITY
}
