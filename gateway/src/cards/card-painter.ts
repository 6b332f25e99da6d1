import { Worker } from 'node:worker_threads'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { Memo } from '../http/memo.ts'
import { type Card, cardKey } from './card.ts'

/** Pictures that are kept, by number and bytes, and their time to live. */
const MAX_KEPT = 300
const MAX_KEPT_BYTES = 16_000_000
const TTL_MS = 3_600_000
/** Cards that may wait for the worker. More are refused: a preview without a picture is better than a queue. */
const MAX_WAITING = 16
/** Time after which a worker without work ends, because it holds some tens of megabytes; and a card is given up. */
const IDLE_MS = 30_000
const TIMEOUT_MS = 10_000

interface CardPainterDeps {
  logger: Logger
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Draws cards in a thread of its own, which is started when there is something to draw, and keeps them. */
export class CardPainter {
  readonly #logger: Logger
  readonly #kept: Memo<Buffer>
  readonly #waiting = new Map<number, (png: Buffer | undefined) => void>()
  #worker: Worker | undefined
  #idle: ReturnType<typeof setTimeout> | undefined
  #lastId = 0

  constructor({ logger, now }: CardPainterDeps) {
    this.#logger = logger
    this.#kept = new Memo({
      ttlMs: () => TTL_MS,
      maxEntries: MAX_KEPT,
      maxSize: MAX_KEPT_BYTES,
      sizeOf: ({ length }) => length,
      now,
    })
  }

  /** The picture as PNG; undefined if there is too much to do, or it cannot be drawn. */
  async paint(card: Card): Promise<Buffer | undefined> {
    const key = cardKey(card)
    const png = await this.#kept.get(key, () => this.#draw(card))
    if (png === undefined) this.#kept.delete(key)
    return png
  }

  async close(): Promise<void> {
    await this.#end()
  }

  #draw(card: Card): Promise<Buffer | undefined> {
    if (this.#waiting.size >= MAX_WAITING) return Promise.resolve(undefined)
    const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
    this.#lastId += 1
    const id = this.#lastId
    const timeout = setTimeout(() => void this.#end(), TIMEOUT_MS)
    this.#waiting.set(id, (png) => {
      clearTimeout(timeout)
      resolve(png)
    })
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    this.#worker.postMessage({ id, card })
    return promise
  }

  #start(): Worker {
    const worker = new Worker(new URL('./card-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    worker.unref()
    worker.on('message', ({ id, png }: { id: number; png: Uint8Array | null }) => {
      this.#waiting.get(id)?.(png === null ? undefined : Buffer.from(png))
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
    })
    worker.on('error', (error) => {
      this.#logger.warn({ err: error }, 'card worker failed')
      if (this.#worker === worker) void this.#end()
    })
    return worker
  }

  /** Ends the worker. What waits gets no picture. */
  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    for (const finish of this.#waiting.values()) finish(undefined)
    this.#waiting.clear()
    await worker?.terminate()
  }
}
