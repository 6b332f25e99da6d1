import { LIVE_SUBJECTS, ViewerCounts } from '@looptide/contracts/events'
import type { Subscription } from '@looptide/service-kit/nats-client'
import { Check } from 'typebox/value'
import { parseJson } from '../peers/parse-json.ts'
import type { Peers } from '../peers/peers.ts'

export interface ViewerCountsDeps {
  peers: Peers
  /** This gateway's own viewers: of all channels, and of one. */
  local: { all: () => Map<string, number>; of: (channelId: string) => number }
  publish: (channelId: string, count: number) => void
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Our sockets are told of new sums this often. */
const TELL_MS = 5000
/** The other gateways are told of changes this often at most, and of everything every ten seconds. */
const THROTTLE_MS = 1000
const WHOLE_MS = 10_000
/** A change of less than one in a hundred waits this long, so that a large audience is not told of every arrival. */
const SMALL_CHANGE_MS = 30_000

interface Told {
  count: number
  atMs: number
}

/**
 * How many watch each channel, over all gateways: each tells the others its own counts, all add up. What travels
 * is a number per channel that has changed, however many viewers came and went.
 */
export class ViewerCounter {
  readonly #deps: ViewerCountsDeps
  readonly #others = new Map<string, Map<string, number>>()
  /** What the other gateways were told of ours. */
  #sent = new Map<string, number>()
  readonly #told = new Map<string, Told>()
  #subscription: Subscription | undefined
  #tickers: NodeJS.Timeout[] = []
  #throttle: NodeJS.Timeout | undefined

  constructor(deps: ViewerCountsDeps) {
    this.#deps = deps
  }

  start(): void {
    const { peers } = this.#deps
    this.#subscription = peers.subscribe(LIVE_SUBJECTS.allViewers, (bytes) => this.#hear(bytes))
    peers.listen({
      arrived: () => this.#tellAll(),
      gone: (gatewayId) => {
        if (this.#others.delete(gatewayId)) this.tick()
      },
    })
    this.#tickers = [setInterval(() => this.tick(), TELL_MS), setInterval(() => this.#tellAll(), WHOLE_MS)]
    for (const ticker of this.#tickers) ticker.unref()
  }

  stop(): void {
    for (const ticker of this.#tickers) clearInterval(ticker)
    clearTimeout(this.#throttle)
    this.#subscription?.unsubscribe()
  }

  /** Somebody came or went here. */
  changed(): void {
    this.#throttle ??= setTimeout(() => {
      this.#throttle = undefined
      this.#tellChanges()
    }, THROTTLE_MS).unref()
  }

  total(channelId: string): number {
    let sum = this.#deps.local.of(channelId)
    for (const counts of this.#others.values()) sum += counts.get(channelId) ?? 0
    return sum
  }

  /** Every channel that is watched, and by how many. */
  totals(): Record<string, number> {
    return Object.fromEntries([...this.#sums()].filter(([, count]) => count > 0))
  }

  /** Tells our sockets the sums that have changed. */
  tick(): void {
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
    for (const counts of this.#others.values())
      for (const [channelId, count] of counts) sums.set(channelId, (sums.get(channelId) ?? 0) + count)
    return sums
  }

  #tellAll(): void {
    this.#sent = this.#deps.local.all()
    this.#send({ gatewayId: this.#deps.peers.id, counts: Object.fromEntries(this.#sent) })
  }

  #tellChanges(): void {
    const counts = this.#deps.local.all()
    const changes = [...counts].filter(([channelId, count]) => this.#sent.get(channelId) !== count)
    for (const channelId of this.#sent.keys()) if (!counts.has(channelId)) changes.push([channelId, 0])
    this.#sent = counts
    if (changes.length === 0) return
    this.#send({ gatewayId: this.#deps.peers.id, counts: Object.fromEntries(changes), isPartial: true })
  }

  #send(word: ViewerCounts): void {
    this.#deps.peers.send(LIVE_SUBJECTS.viewers(word.gatewayId), JSON.stringify(word))
  }

  #hear(bytes: Uint8Array): void {
    const word = parseJson(bytes)
    if (!Check(ViewerCounts, word) || !this.#deps.peers.heard(word.gatewayId)) return
    const { gatewayId, counts, isPartial = false } = word
    const known = isPartial ? this.#others.get(gatewayId) : undefined
    const all = known ?? new Map<string, number>()
    for (const [channelId, count] of Object.entries(counts)) {
      if (count === 0) all.delete(channelId)
      else all.set(channelId, count)
    }
    this.#others.set(gatewayId, all)
  }
}

function isWorthTelling(told: Told | undefined, count: number, nowMs: number): boolean {
  if (told === undefined) return count > 0
  if (told.count === count) return false
  const isSmall = Math.abs(told.count - count) < told.count / 100
  return !isSmall || nowMs - told.atMs >= SMALL_CHANGE_MS
}
