import type { Socket } from 'node:net'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { ChannelStateCache } from '../../channels/channel-state-cache.ts'
import type { NowPlayingSource } from '../now-playing-source.ts'
import { Audience } from './audience.ts'
import { EventStream } from './event-stream.ts'

interface NowPlayingStreamsDeps {
  source: Pick<NowPlayingSource, 'find' | 'of'>
  states: Pick<ChannelStateCache, 'get' | 'programmes'>
  registry: Registry
  /** Monotonic clock in ms. */
  now: () => number
}

/** Interval at which channels are compared with what their clients were sent last, in ms. Costs nothing for each client. */
const TICK_MS = 200
const COMMENT_MS = 15_000

/**
 * The clients of server-sent events of what is on. A channel is looked at a few times a second, and its clients are sent
 * one message when its programme or its number of viewers has changed.
 */
export class NowPlayingStreams {
  readonly #deps: NowPlayingStreamsDeps
  readonly #audiences = new Map<string, Audience>()
  /** When each client gets its next comment, the earliest first. */
  readonly #comments = new Map<EventStream, number>()
  readonly #slow: Counter
  #ticker: NodeJS.Timeout | undefined
  /** The gateway is shutting down and refuses new clients. */
  isDraining = false

  constructor(deps: NowPlayingStreamsDeps) {
    this.#deps = deps
    const registers = [deps.registry]
    const open: Gauge = new Gauge({
      name: 'looptide_event_streams',
      help: 'Open connections of server-sent events.',
      registers,
      collect: () => {
        open.set(this.size)
      },
    })
    this.#slow = new Counter({
      name: 'looptide_event_streams_slow_total',
      help: 'Connections of server-sent events closed because the client did not read.',
      registers,
    })
  }

  /** Number of open connections. */
  get size(): number {
    return this.#comments.size
  }

  start(): void {
    this.#ticker = setInterval(() => this.tick(), TICK_MS)
    this.#ticker.unref()
  }

  stop(): void {
    clearInterval(this.#ticker)
    for (const stream of this.#comments.keys()) stream.close()
  }

  /** The first message of a client; undefined for an unknown channel. */
  async firstMessage(idOrNumber: string): Promise<{ channelId: string; message: Buffer } | undefined> {
    const channel = await this.#deps.source.find(idOrNumber)
    if (channel === undefined) return undefined
    const message = await this.#audienceOf(channel.id).message()
    return message && { channelId: channel.id, message }
  }

  /** Takes over a socket on which `head`, with the first message, is the beginning of the answer. */
  add(channelId: string, socket: Socket, head: Buffer): void {
    const { streams } = this.#audienceOf(channelId)
    const stream = new EventStream(socket, this.#deps.now)
    streams.add(stream)
    this.#comments.set(stream, this.#deps.now() + COMMENT_MS)
    socket.once('close', () => {
      streams.delete(stream)
      this.#comments.delete(stream)
    })
    stream.send(head)
  }

  /** Call it when another number of viewers was published. */
  viewersChanged(channelId: string): void {
    this.#audiences.get(channelId)?.viewersChanged()
  }

  /** Refuses new clients. Returns the open ones. */
  beginDrain(): EventStream[] {
    this.isDraining = true
    return [...this.#comments.keys()]
  }

  tick(): void {
    for (const [channelId, audience] of this.#audiences) {
      if (audience.streams.size === 0) this.#audiences.delete(channelId)
      else void audience.update()
    }
    const nowMs = this.#deps.now()
    for (const [stream, dueMs] of this.#comments) {
      if (dueMs > nowMs) break
      this.#comments.delete(stream)
      this.#comments.set(stream, nowMs + COMMENT_MS)
      if (stream.comment()) continue
      this.#slow.inc()
      stream.close()
    }
  }

  #audienceOf(channelId: string): Audience {
    const known = this.#audiences.get(channelId)
    if (known !== undefined) return known
    const { source, now } = this.#deps
    const audience = new Audience({
      load: async () => {
        const channel = await source.find(channelId)
        return channel && source.of(channel)
      },
      key: () => this.#keyOf(channelId),
      onEnded: () => {
        for (const stream of audience.streams) stream.close()
      },
      now,
    })
    this.#audiences.set(channelId, audience)
    return audience
  }

  #keyOf(channelId: string): string {
    const { states } = this.#deps
    const [current, ...others] = states.programmes(channelId)
    const next = others.find(({ kind }) => kind === 'video')
    return [states.get(channelId)?.status, current?.id, current?.endsAtMs, next?.id].join(' ')
  }
}
