import { LIVE_SUBJECTS, ViewerCounts } from '@looptide/contracts/events'
import type { Subscription } from '@looptide/service-kit/events/nats-client'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import { ReportedViewers } from '@looptide/service-kit/events/reported-viewers'
import { Check } from 'typebox/value'
import type { Peers } from '../peers/peers.ts'
import type { AttendanceCounter } from './attendance-counter.ts'

interface ViewerCounterDeps {
  peers: Peers
  /** Viewers at this gateway: of all channels, and of one. */
  local: { all: () => Map<string, number>; of: (channelId: string) => number }
  attendance: Pick<AttendanceCounter, 'report'>
  /** Receives the changed totals by channel. */
  publish: (counts: ReadonlyMap<string, number>) => void
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Interval at which changed totals are published to the sockets of this gateway, in ms. */
const PUBLISH_INTERVAL_MS = 5000
/** Shortest interval between two reports of changes to the other gateways, in ms. */
const REPORT_DELAY_MS = 1000
/** Interval at which all counts and joins and leaves are reported, in ms. */
const FULL_REPORT_INTERVAL_MS = 10_000
/** Interval at which changes below 1 % are published, in ms, so that a large audience does not receive every arrival. */
const SMALL_CHANGE_INTERVAL_MS = 30_000

interface PublishedCount {
  count: number
  atMs: number
}

/** The lowest and the highest total that a channel has had since the last publication. */
interface Range {
  lowest: number
  highest: number
}

/**
 * Counts the viewers of each channel over all gateways. Each gateway reports its own counts to the others and adds up
 * all of them. A report holds one number for each changed channel, at any number of arrivals.
 */
export class ViewerCounter {
  readonly #deps: ViewerCounterDeps
  /** Of the other gateways. */
  readonly #remote = new ReportedViewers()
  /** The counts of this gateway that were reported last. */
  #reported = new Map<string, number>()
  readonly #published = new Map<string, PublishedCount>()
  /** Totals that pages may have read over HTTP, which were never published. */
  readonly #ranges = new Map<string, Range>()
  #subscription: Subscription | undefined
  #timers: NodeJS.Timeout[] = []
  #nextReport: NodeJS.Timeout | undefined

  constructor(deps: ViewerCounterDeps) {
    this.#deps = deps
  }

  start(): void {
    const { peers } = this.#deps
    this.#subscription = peers.subscribe(LIVE_SUBJECTS.allViewers, (bytes) => this.#receive(bytes))
    peers.listen({
      onPeerStarted: () => this.#reportAll(),
      onPeerLost: (gatewayId) => {
        if (this.#remote.forget(gatewayId)) this.publishChanges()
      },
    })
    this.#timers = [
      setInterval(() => this.publishChanges(), PUBLISH_INTERVAL_MS),
      setInterval(() => this.#reportAll(), FULL_REPORT_INTERVAL_MS),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#nextReport)
    this.#reportAll()
    this.#subscription?.unsubscribe()
  }

  /** Schedules a report to the other gateways. Call it when a viewer has arrived or left. */
  changed(channelId: string): void {
    this.#widen(channelId)
    this.#nextReport ??= setTimeout(() => {
      this.#nextReport = undefined
      this.#reportChanges()
    }, REPORT_DELAY_MS).unref()
  }

  total(channelId: string): number {
    return this.#deps.local.of(channelId) + this.#remote.of(channelId)
  }

  /** The total of every channel with viewers. */
  totals(): Record<string, number> {
    return Object.fromEntries([...this.#sums()].filter(([, count]) => count > 0))
  }

  /** Publishes changed totals to the sockets of this gateway. */
  publishChanges(): void {
    const nowMs = this.#deps.now()
    const sums = this.#sums()
    for (const channelId of this.#published.keys()) if (!sums.has(channelId)) sums.set(channelId, 0)
    for (const channelId of this.#ranges.keys()) if (!sums.has(channelId)) sums.set(channelId, 0)
    const due = new Map(
      [...sums].filter(
        ([id, count]) =>
          isDue(this.#published.get(id), count, nowMs) || wasElsewhere(this.#ranges.get(id), count),
      ),
    )
    this.#ranges.clear()
    for (const [channelId, count] of due) {
      if (count === 0) this.#published.delete(channelId)
      else this.#published.set(channelId, { count, atMs: nowMs })
    }
    if (due.size > 0) this.#deps.publish(due)
  }

  #widen(channelId: string): void {
    const total = this.total(channelId)
    const { lowest, highest } = this.#ranges.get(channelId) ?? { lowest: total, highest: total }
    this.#ranges.set(channelId, { lowest: Math.min(lowest, total), highest: Math.max(highest, total) })
  }

  #sums(): Map<string, number> {
    return this.#remote.addTo(new Map(this.#deps.local.all()))
  }

  #reportAll(): void {
    this.#reported = this.#deps.local.all()
    const { peers, attendance } = this.#deps
    const counts = Object.fromEntries(this.#reported)
    this.#send({ gatewayId: peers.id, counts, attendance: attendance.report() })
  }

  #reportChanges(): void {
    const counts = this.#deps.local.all()
    const changes = [...counts].filter(([channelId, count]) => this.#reported.get(channelId) !== count)
    for (const channelId of this.#reported.keys()) if (!counts.has(channelId)) changes.push([channelId, 0])
    this.#reported = counts
    if (changes.length === 0) return
    this.#send({ gatewayId: this.#deps.peers.id, counts: Object.fromEntries(changes), isPartial: true })
  }

  #send(report: ViewerCounts): void {
    this.#deps.peers.send(LIVE_SUBJECTS.viewers(report.gatewayId), JSON.stringify(report))
  }

  #receive(bytes: Uint8Array): void {
    const report = parseJson(bytes)
    if (!Check(ViewerCounts, report) || !this.#deps.peers.recordActivity(report.gatewayId)) return
    this.#remote.receive(report, this.#deps.now())
    for (const channelId of Object.keys(report.counts)) this.#widen(channelId)
  }
}

/**
 * Whether a total has changed and is back. Who read it meanwhile, for example of a viewer who came and left between two
 * publications, needs the present one. Changes below 1 % do not count.
 */
const wasElsewhere = (range: Range | undefined, count: number): boolean =>
  range !== undefined &&
  Math.max(range.highest - count, count - range.lowest) >= Math.max(Number.MIN_VALUE, count / 100)

/** Whether a total is to be published now. */
function isDue(published: PublishedCount | undefined, count: number, nowMs: number): boolean {
  if (published === undefined) return count > 0
  if (published.count === count) return false
  const isSmall = Math.abs(published.count - count) < published.count / 100
  return !isSmall || nowMs - published.atMs >= SMALL_CHANGE_INTERVAL_MS
}
