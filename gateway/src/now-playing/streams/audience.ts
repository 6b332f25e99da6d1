import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NowPlaying } from '@looptide/contracts/http/now-playing'
import type { EventStream } from './event-stream.ts'

/** Writes of one message before other work gets its turn. One takes about 10 µs. */
const WRITES_PER_TURN = 500
/** Shortest time between two messages, in ms. */
const MIN_INTERVAL_MS = 1000

interface AudienceDeps {
  /** What is on now; undefined if the channel is no longer active. */
  load: () => Promise<NowPlaying | undefined>
  /** Identifies what a message is sent for: the programme, the next one, and the status. */
  key: () => string
  /** Called when the channel is no longer active. */
  onEnded: () => void
  /** Monotonic clock in ms. */
  now: () => number
}

/** The clients of one channel. They share each message: it is encoded once. */
export class Audience {
  readonly streams = new Set<EventStream>()
  readonly #deps: AudienceDeps
  #key: string
  #viewersChanged = false
  #sentAtMs: number
  #isSending = false
  #newest: { message: Promise<Buffer | undefined>; atMs: number } | undefined

  constructor(deps: AudienceDeps) {
    this.#deps = deps
    this.#key = deps.key()
    this.#sentAtMs = deps.now()
  }

  /** The message for a new client. Clients that arrive within a second share it, unless something has changed. */
  message(): Promise<Buffer | undefined> {
    const nowMs = this.#deps.now()
    if (this.#newest === undefined || nowMs - this.#newest.atMs >= MIN_INTERVAL_MS || this.#isDue)
      this.#newest = { message: this.#encode(), atMs: nowMs }
    return this.#newest.message
  }

  viewersChanged(): void {
    this.#viewersChanged = true
  }

  /** Sends a message if something has changed, and the last one was sent a second ago. */
  async update(): Promise<void> {
    if (this.#isSending || !this.#isDue || this.#deps.now() - this.#sentAtMs < MIN_INTERVAL_MS) return
    this.#isSending = true
    this.#key = this.#deps.key()
    this.#viewersChanged = false
    this.#sentAtMs = this.#deps.now()
    const message = this.#encode()
    this.#newest = { message, atMs: this.#sentAtMs }
    try {
      await this.#send(await message)
    } finally {
      this.#isSending = false
    }
  }

  get #isDue(): boolean {
    return this.#viewersChanged || this.#key !== this.#deps.key()
  }

  async #send(message: Buffer | undefined): Promise<void> {
    if (message === undefined) return this.#deps.onEnded()
    let count = 0
    for (const stream of [...this.streams]) {
      if (this.streams.has(stream)) stream.send(message)
      count += 1
      if (count % WRITES_PER_TURN === 0) await nextTurn()
    }
  }

  async #encode(): Promise<Buffer | undefined> {
    const body = await this.#deps.load()
    return body && Buffer.from(`event: nowplaying\ndata: ${JSON.stringify(body)}\n\n`)
  }
}
