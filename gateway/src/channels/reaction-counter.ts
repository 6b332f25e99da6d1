import { LIVE_SUBJECTS, ReactionReport } from '@looptide/contracts/events'
import { REACTIONS, type Reaction, type ReactionCounts } from '@looptide/contracts/realtime'
import type { Subscription } from '@looptide/service-kit/events/nats-client'
import { parseJson } from '@looptide/service-kit/events/parse-json'
import { Check } from 'typebox/value'
import { LeakyBucket } from '../limits/leaky-bucket.ts'
import type { Peers } from '../peers/peers.ts'

/** Reactions to one airing: a programme on a channel. */
interface AiringReactions {
  airingId: string
  counts: ReactionCounts
}

interface ReactionCounterDeps {
  peers: {
    id: string
    subscribe: (subject: string, onMessage: (bytes: Uint8Array) => void) => Pick<Subscription, 'unsubscribe'>
  } & Pick<Peers, 'send' | 'recordActivity' | 'listen'>
  /** The programme that is on the air on a channel; undefined if there is none, or it is not known. */
  airingOf: (channelId: string) => string | undefined
  /** Sends the reactions of the last second to the viewers of a channel at this gateway. */
  publish: (channelId: string, reactions: AiringReactions) => void
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Every gateway reports at the beginning of each second of the wall clock, and sends what it has received soon after. */
const SECOND_MS = 1000
const SEND_AFTER_MS = 200
/** Reactions of one socket. */
const PER_SOCKET = { perSecond: 4, burst: 4 }

/**
 * Counts the reactions of viewers. The cost depends on the number of gateways and channels, not on that of reactions: each
 * gateway adds up those of its own sockets, sends one report a second to the others, and one frame a second to the viewers
 * of each channel.
 */
export class ReactionCounter {
  readonly #deps: ReactionCounterDeps
  readonly #buckets = new WeakMap<object, LeakyBucket>()
  /** Since the first reaction to the airing at this gateway, by channel. */
  readonly #own = new Map<string, AiringReactions & { isReported: boolean }>()
  /** As last reported by each other gateway, by channel. */
  readonly #reported = new Map<string, Map<string, AiringReactions>>()
  /** What the viewers of this gateway have not been sent yet, by channel. */
  readonly #pending = new Map<string, AiringReactions>()
  #subscription: Pick<Subscription, 'unsubscribe'> | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(deps: ReactionCounterDeps) {
    this.#deps = deps
  }

  start(): void {
    const { peers } = this.#deps
    this.#subscription = peers.subscribe(LIVE_SUBJECTS.allReactions, (bytes) => this.#receive(bytes))
    peers.listen({ onPeerLost: (gatewayId) => this.#reported.delete(gatewayId) })
    this.#schedule()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#subscription?.unsubscribe()
    this.#report()
  }

  /** Counts a reaction of a socket. Returns why it is not counted, if it is not. */
  add(socket: object, channelId: string, emoji: Reaction): string | undefined {
    const nowMs = this.#deps.now()
    const bucket = this.#buckets.get(socket) ?? new LeakyBucket(nowMs)
    this.#buckets.set(socket, bucket)
    if (!bucket.add(1, PER_SOCKET, nowMs)) return 'at most four reactions a second'
    const airingId = this.#deps.airingOf(channelId)
    if (airingId === undefined) return 'nothing is on the air'
    const known = this.#own.get(channelId)
    if (known !== undefined && known.airingId !== airingId) this.#report()
    const own = known?.airingId === airingId ? known : { airingId, counts: {}, isReported: false }
    own.counts[emoji] = (own.counts[emoji] ?? 0) + 1
    own.isReported = false
    this.#own.set(channelId, own)
    this.#addPending(channelId, airingId, { [emoji]: 1 })
    return undefined
  }

  #schedule(): void {
    const waitMs = SECOND_MS - (this.#deps.now() % SECOND_MS)
    this.#timer = setTimeout(() => {
      this.#report()
      this.#timer = setTimeout(() => {
        this.#send()
        this.#schedule()
      }, SEND_AFTER_MS).unref()
    }, waitMs).unref()
  }

  /** Reports what is new to the other gateways, and forgets airings that are over. */
  #report(): void {
    const airings: ReactionReport['airings'] = []
    for (const [channelId, own] of this.#own) {
      const { airingId, counts, isReported } = own
      if (!isReported) airings.push({ channelId, airingId, counts: { ...counts } as Record<string, number> })
      else if (this.#deps.airingOf(channelId) !== airingId) this.#own.delete(channelId)
      own.isReported = true
    }
    if (airings.length === 0) return
    const { peers } = this.#deps
    const report: ReactionReport = { gatewayId: peers.id, airings }
    peers.send(LIVE_SUBJECTS.reactions(peers.id), JSON.stringify(report))
  }

  #send(): void {
    for (const [channelId, reactions] of this.#pending) this.#deps.publish(channelId, reactions)
    this.#pending.clear()
  }

  #receive(bytes: Uint8Array): void {
    const report = parseJson(bytes)
    if (!Check(ReactionReport, report) || !this.#deps.peers.recordActivity(report.gatewayId)) return
    const known = this.#reported.get(report.gatewayId) ?? new Map<string, AiringReactions>()
    this.#reported.set(report.gatewayId, known)
    for (const { channelId, airingId, counts } of report.airings) {
      const before = known.get(channelId)
      const since = before?.airingId === airingId ? before.counts : {}
      known.set(channelId, { airingId, counts })
      this.#addPending(channelId, airingId, newSince(since, counts))
    }
  }

  #addPending(channelId: string, airingId: string, counts: ReactionCounts): void {
    const pending = this.#pending.get(channelId) ?? { airingId, counts: {} }
    for (const emoji of REACTIONS) {
      const count = counts[emoji] ?? 0
      if (count > 0) pending.counts[emoji] = (pending.counts[emoji] ?? 0) + count
    }
    pending.airingId = airingId
    if (Object.keys(pending.counts).length > 0) this.#pending.set(channelId, pending)
  }
}

/** What has been added to numbers that only grow. */
const newSince = (before: ReactionCounts, after: ReactionCounts): ReactionCounts =>
  Object.fromEntries(REACTIONS.map((emoji) => [emoji, (after[emoji] ?? 0) - (before[emoji] ?? 0)]))
