import { LIVE_SUBJECTS, ViewerCounts } from '@looptide/contracts/events'
import type { NatsConnection, Subscription } from 'nats'
import { Check } from 'typebox/value'

export interface ViewerCountsDeps {
  gatewayId: string
  nats: NatsConnection
  /** This gateway's own viewers: of all channels, and of one. */
  local: { all: () => Map<string, number>; of: (channelId: string) => number }
  publish: (channelId: string, count: number) => void
  /** Wall clock, epoch ms. */
  now: () => number
}

const TELL_MS = 5000
/** A change of arrivals and departures is passed on to the other gateways after so long. */
const THROTTLE_MS = 1000
/** A gateway that was not heard of for so long is gone, and its viewers with it. */
const FRESH_MS = 15_000
/** A change of less than one in a hundred waits this long, so that a large audience is not told of every arrival. */
const SMALL_CHANGE_MS = 30_000

interface Told {
  count: number
  atMs: number
}

/** How many watch each channel, over all gateways: each tells its own count, all add up. */
export class ViewerCounter {
  readonly #deps: ViewerCountsDeps
  readonly #others = new Map<string, { atMs: number; counts: Record<string, number> }>()
  readonly #told = new Map<string, Told>()
  #subscription: Subscription | undefined
  #ticker: NodeJS.Timeout | undefined
  #throttle: NodeJS.Timeout | undefined

  constructor(deps: ViewerCountsDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#subscription = this.#deps.nats.subscribe(LIVE_SUBJECTS.allViewers, {
      callback: (error, message) => {
        if (error === null) this.#hear(message.string())
      },
    })
    this.#ticker = setInterval(() => this.tick(), TELL_MS)
    this.#ticker.unref()
  }

  /** Says goodbye, so that the others need not wait until our last word is stale. */
  stop(): void {
    clearInterval(this.#ticker)
    clearTimeout(this.#throttle)
    this.#subscription?.unsubscribe()
    this.#tellOthers({})
  }

  /** Somebody came or went here. */
  changed(): void {
    this.#throttle ??= setTimeout(() => {
      this.#throttle = undefined
      this.#tellOthers(Object.fromEntries(this.#deps.local.all()))
    }, THROTTLE_MS).unref()
  }

  total(channelId: string): number {
    const freshSince = this.#deps.now() - FRESH_MS
    let sum = this.#deps.local.of(channelId)
    for (const { atMs, counts } of this.#others.values())
      if (atMs >= freshSince) sum += counts[channelId] ?? 0
    return sum
  }

  /** Every channel that is watched, and by how many. */
  totals(): Record<string, number> {
    return Object.fromEntries([...this.#sums()].filter(([, count]) => count > 0))
  }

  /** Tells the other gateways our counts, and our sockets the sums that have changed. */
  tick(): void {
    this.#tellOthers(Object.fromEntries(this.#deps.local.all()))
    const nowMs = this.#deps.now()
    const sums = this.#sums()
    for (const channelId of this.#told.keys()) if (!sums.has(channelId)) sums.set(channelId, 0)
    for (const [channelId, count] of sums) {
      if (!isWorthTelling(this.#told.get(channelId), count, nowMs)) continue
      if (count === 0) this.#told.delete(channelId)
      else this.#told.set(channelId, { count, atMs: nowMs })
      this.#deps.publish(channelId, count)
    }
  }

  #sums(): Map<string, number> {
    const sums = new Map(this.#deps.local.all())
    const freshSince = this.#deps.now() - FRESH_MS
    for (const [gatewayId, { atMs, counts }] of this.#others) {
      if (atMs < freshSince) this.#others.delete(gatewayId)
      else
        for (const [channelId, count] of Object.entries(counts))
          sums.set(channelId, (sums.get(channelId) ?? 0) + count)
    }
    return sums
  }

  #tellOthers(counts: Record<string, number>): void {
    const { nats, gatewayId } = this.#deps
    if (nats.isClosed()) return
    nats.publish(LIVE_SUBJECTS.viewers(gatewayId), JSON.stringify({ gatewayId, counts }))
  }

  #hear(text: string): void {
    let word: unknown
    try {
      word = JSON.parse(text)
    } catch {
      return
    }
    if (!Check(ViewerCounts, word) || word.gatewayId === this.#deps.gatewayId) return
    this.#others.set(word.gatewayId, { atMs: this.#deps.now(), counts: word.counts })
  }
}

function isWorthTelling(told: Told | undefined, count: number, nowMs: number): boolean {
  if (told === undefined) return count > 0
  if (told.count === count) return false
  const isSmall = Math.abs(told.count - count) < told.count / 100
  return !isSmall || nowMs - told.atMs >= SMALL_CHANGE_MS
}
