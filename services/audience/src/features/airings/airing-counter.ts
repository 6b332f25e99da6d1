import { LIVE_SUBJECTS, ViewerCounts } from '@looptide/contracts/events'
import { MAX_COUNTED_RANGES } from '@looptide/contracts/http/chat'
import type { NatsConnection, Subscription } from '@looptide/service-kit/events/nats-client'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import { ReportedViewers } from '@looptide/service-kit/events/reported-viewers'
import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import { Check } from 'typebox/value'
import type { Database } from '../../db/schema.ts'
import {
  listUncounted,
  type ReportedAttendance,
  saveAiringCounts,
  type UncountedAiring,
} from './airing-repository.ts'
import type { CountMessages } from './message-counts.ts'

interface CounterDeps {
  db: Kysely<Database>
  nats: NatsConnection
  logger: Logger
  countMessages: CountMessages
  /** Epoch ms. */
  now: () => number
}

const INTERVAL_MS = 5_000
/** Within this time every gateway reports all of its viewers, in ms. Before, the sum would be too low. */
const ALL_REPORTED_MS = 12_000
/** A gateway that has reported nothing for this time has ended, in ms. */
const SILENCE_MS = 35_000
/** Viewers are those at the start for this time after it, in ms. */
const START_MS = 20_000
/** Time after the end of an airing until which likes and messages are counted again: they may be committed late. In ms. */
const SETTLE_MS = 60_000
/** Reported joins and leaves are forgotten this time after the last report of their airing, in ms: they are stored. */
const ATTENDANCE_KEPT_MS = 15 * 60_000

/**
 * Counts viewers, joins and leaves, reactions, likes, chat messages and requests of the airings that are on or have just ended, every 5 s: one request to the chat
 * and one statement for up to 500 of them. Every replica counts; the numbers are the same.
 */
export class AiringCounter implements Background {
  readonly #deps: CounterDeps
  readonly #viewers = new ReportedViewers()
  /** By channel and number of the airing. */
  readonly #attendance = new Map<string, { reported: ReportedAttendance; atMs: number }>()
  #listeningSinceMs = 0
  #subscription: Subscription | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  constructor(deps: CounterDeps) {
    this.#deps = deps
  }

  start(): void {
    const { nats, logger, now } = this.#deps
    this.#listeningSinceMs = now()
    this.#subscription = nats.subscribe(LIVE_SUBJECTS.allViewers, {
      callback: (error, message) => {
        if (error !== null) logger.warn({ err: error }, 'subscription failed')
        else this.#receive(message.data)
      },
    })
    this.#timer = setInterval(() => {
      this.#running ??= this.run()
        .catch((error: unknown) => logger.warn({ err: error }, 'airings not counted'))
        .finally(() => {
          this.#running = undefined
        })
    }, INTERVAL_MS)
  }

  async stop(): Promise<void> {
    this.#subscription?.unsubscribe()
    clearInterval(this.#timer)
    await this.#running
  }

  /**
   * Counts once, in batches, the newest airings first. Without the chat only the first batch, and no messages: the airings stay
   * uncounted until it answers, and become many.
   */
  async run(): Promise<void> {
    const { db, now } = this.#deps
    const nowMs = now()
    this.#viewers.forgetSilent(nowMs - SILENCE_MS)
    for (const [key, { atMs }] of this.#attendance)
      if (atMs < nowMs - ATTENDANCE_KEPT_MS) this.#attendance.delete(key)
    const startedBy = new Date(nowMs)
    for (let after: UncountedAiring | undefined; ; ) {
      const airings = await listUncounted(db, { startedBy, after }, MAX_COUNTED_RANGES)
      const isComplete = airings.length === 0 || (await this.#count(airings, nowMs))
      if (!isComplete || airings.length < MAX_COUNTED_RANGES) return
      after = airings.at(-1)
    }
  }

  /** Whether the chat has answered. */
  async #count(airings: readonly UncountedAiring[], nowMs: number): Promise<boolean> {
    const messages = await this.#countMessages(airings)
    await saveAiringCounts(
      this.#deps.db,
      airings.map((airing, index) => ({
        channelId: airing.channelId,
        seq: airing.seq,
        ...this.#viewersOf(airing, nowMs),
        messages: messages?.[index],
        attendance: this.#attendance.get(keyOf(airing))?.reported,
        isCounted: messages !== undefined && airing.endsAt.getTime() + SETTLE_MS <= nowMs,
      })),
    )
    return messages !== undefined
  }

  #viewersOf({ channelId, startsAt, endsAt }: UncountedAiring, nowMs: number) {
    const isKnown = nowMs >= this.#listeningSinceMs + ALL_REPORTED_MS && !this.#viewers.isEmpty
    if (!isKnown || nowMs >= endsAt.getTime()) return {}
    const viewers = this.#viewers.of(channelId)
    const isStart = nowMs < startsAt.getTime() + START_MS
    return { viewersAtStart: isStart ? viewers : undefined, viewersAtEnd: viewers }
  }

  async #countMessages(airings: readonly UncountedAiring[]): Promise<readonly number[] | undefined> {
    const { countMessages, logger } = this.#deps
    const ranges = airings.map(({ channelId, startsAt, endsAt }) => ({
      channelId,
      fromMs: startsAt.getTime(),
      toMs: endsAt.getTime(),
    }))
    return countMessages(ranges).catch((error: unknown) => {
      logger.warn({ err: error }, 'messages not counted')
      return undefined
    })
  }

  #receive(bytes: Uint8Array): void {
    const report = parseJson(bytes)
    if (!Check(ViewerCounts, report)) return
    const atMs = this.#deps.now()
    this.#viewers.receive(report, atMs)
    for (const { joins, leaves, ...airing } of report.attendance ?? []) {
      const reported = this.#attendance.get(keyOf(airing))?.reported
      this.#attendance.set(keyOf(airing), {
        reported: { ...reported, [report.gatewayId]: [joins, leaves] },
        atMs,
      })
    }
  }
}

const keyOf = ({ channelId, seq }: { channelId: string; seq: number | string }): string =>
  `${channelId} ${seq}`
