import { LIVE_SUBJECTS, ReactionReport } from '@looptide/contracts/events'
import { REACTIONS, type ReactionCounts } from '@looptide/contracts/realtime'
import type { NatsConnection, Subscription } from '@looptide/service-kit/events/nats-client'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import { Check } from 'typebox/value'
import type { Database } from '../../db/schema.ts'
import { type GatewayReactions, saveReactions } from './reaction-repository.ts'

interface RecorderDeps {
  db: Kysely<Database>
  nats: NatsConnection
  logger: Logger
  /** Epoch ms. */
  now: () => number
}

/** Interval at which reports are stored, in ms. */
const STORE_INTERVAL_MS = 5_000
/** Reports that one statement stores. */
const BATCH = 1_000

/**
 * Stores how often viewers have reacted to each airing, as gateways report it. Every replica stores all reports: they count
 * from the first reaction to the airing, so that a repeated or lost one changes nothing.
 */
export class ReactionRecorder implements Background {
  readonly #deps: RecorderDeps
  /** The newest report of each gateway about each airing, if it is not stored. */
  #reports = new Map<string, GatewayReactions>()
  #subscription: Subscription | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(deps: RecorderDeps) {
    this.#deps = deps
  }

  start(): void {
    const { nats, logger } = this.#deps
    this.#subscription = nats.subscribe(LIVE_SUBJECTS.allReactions, {
      callback: (error, message) => {
        if (error !== null) logger.warn({ err: error }, 'subscription failed')
        else this.#receive(message.data)
      },
    })
    this.#timer = setInterval(() => void this.#store(), STORE_INTERVAL_MS)
  }

  /** Stores what has been received. */
  async stop(): Promise<void> {
    this.#subscription?.unsubscribe()
    clearInterval(this.#timer)
    await this.#running
    await this.#store()
  }

  #store(): Promise<void> {
    this.#running ??= this.#run()
      .catch((error: unknown) => this.#deps.logger.warn({ err: error }, 'reactions not stored'))
      .finally(() => {
        this.#running = undefined
      })
    return this.#running
  }

  async #run(): Promise<void> {
    const { db } = this.#deps
    // In one order: replicas store the same rows at the same time.
    const entries = [...this.#reports].sort(([a], [b]) => (a < b ? -1 : 1))
    for (let from = 0; from < entries.length; from += BATCH) {
      const batch = entries.slice(from, from + BATCH)
      await saveReactions(
        db,
        batch.map(([, report]) => report),
      )
      // A newer one may have come meanwhile.
      for (const [key, report] of batch) if (this.#reports.get(key) === report) this.#reports.delete(key)
    }
  }

  #receive(bytes: Uint8Array): void {
    const report = parseJson(bytes)
    if (!Check(ReactionReport, report)) return
    const at = new Date(this.#deps.now())
    for (const { channelId, airingId, counts: received } of report.airings) {
      const counts: ReactionCounts = {}
      let total = 0
      for (const emoji of REACTIONS) {
        const count = received[emoji] ?? 0
        if (count > 0) counts[emoji] = count
        total += count
      }
      const key = [channelId, airingId, report.gatewayId].join(' ')
      this.#reports.set(key, { channelId, airingId, gateway: report.gatewayId, counts, total, at })
    }
  }
}
