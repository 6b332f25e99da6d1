import { LIVE_SUBJECTS, ViewerCounts } from '@looptide/contracts/events'
import type { NatsConnection, Subscription } from '@looptide/service-kit/events/nats-client'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import { ReportedViewers } from '@looptide/service-kit/events/reported-viewers'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import { Check } from 'typebox/value'
import type { Database } from '../db/schema.ts'
import { saveListeners, uncountedAirings } from './airing-repository.ts'
import { ViewerSamples } from './viewer-samples.ts'

interface Deps {
  db: Kysely<Database>
  nats: NatsConnection
  logger: Logger
  /** Epoch ms. */
  now: () => number
  /** Time between two counts, in ms. */
  intervalMs?: number
}

/** Every gateway reports all of its counts this often, in ms, which is how often they are counted. */
const INTERVAL_MS = 10_000
/** A gateway that has reported nothing for this time has ended, in ms. */
const SILENCE_MS = 35_000
/** Longer programmes are counted in their last two hours. */
const KEEP_MS = 7_200_000

/**
 * Enters the average number of viewers of each programme into the air log once it has ended. Every replica counts, and the
 * first one enters: a programme during which none was running has no number.
 */
export class ListenerCounter implements Background {
  readonly #deps: Deps
  readonly #viewers = new ReportedViewers()
  readonly #samples = new ViewerSamples(KEEP_MS)
  #subscription: Subscription | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  start(): void {
    const { nats, logger, intervalMs = INTERVAL_MS } = this.#deps
    this.#subscription = nats.subscribe(LIVE_SUBJECTS.allViewers, {
      callback: (error, message) => {
        if (error !== null) logger.warn({ err: error }, 'subscription failed')
        else this.#receive(message.data)
      },
    })
    this.#timer = setInterval(() => {
      this.#running ??= this.run()
        .catch((error: unknown) => logger.warn({ err: error }, 'listeners not entered'))
        .finally(() => {
          this.#running = undefined
        })
    }, intervalMs)
  }

  async stop(): Promise<void> {
    this.#subscription?.unsubscribe()
    clearInterval(this.#timer)
    await this.#running
  }

  /** Counts once, and enters the programmes that have ended since the last time. */
  async run(): Promise<void> {
    const { db, now } = this.#deps
    const nowMs = now()
    this.#viewers.forgetSilent(nowMs - SILENCE_MS)
    if (!this.#viewers.isEmpty) this.#samples.add({ atMs: nowMs, viewers: this.#viewers.addTo(new Map()) })
    const counted = (await uncountedAirings(db, nowMs)).flatMap(
      ({ channelId, seq, startedAtMs, endedAtMs }) => {
        const listeners = this.#samples.averageOf(channelId, startedAtMs, endedAtMs)
        return listeners === null ? [] : [{ channelId, seq, listeners }]
      },
    )
    await saveListeners(db, counted)
  }

  #receive(bytes: Uint8Array): void {
    const report = parseJson(bytes)
    if (Check(ViewerCounts, report)) this.#viewers.receive(report, this.#deps.now())
  }
}
