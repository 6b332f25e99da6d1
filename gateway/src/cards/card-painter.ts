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
/** Time after which a worker without work ends, because it holds some tens of megabytes. */
const IDLE_MS = 30_000
/** Time for one card, from its turn on: those that wait for others, or for a busy machine, lose none of it. */
const TIMEOUT_MS = 10_000

interface Order {
  card: Card
  finish: (png: Buffer | undefined) => void
}

interface CardPainterDeps {
  logger: Logger
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Draws cards in a thread of its own, which is started when there is something to draw, and keeps them. */
export class CardPainter {
  readonly #logger: Logger
  readonly #kept: Memo<Buffer>
  /** The first is being drawn. */
  readonly #orders: Order[] = []
  #worker: Worker | undefined
  /** While a card is drawn, until it is given up; then until the worker ends. */
  #timer: ReturnType<typeof setTimeout> | undefined

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

  /** Ends the worker. What waits gets no picture. */
  async close(): Promise<void> {
    for (const { finish } of this.#orders.splice(0)) finish(undefined)
    await this.#endWorker()
  }

  #draw(card: Card): Promise<Buffer | undefined> {
    if (this.#orders.length >= MAX_WAITING) return Promise.resolve(undefined)
    const { promise, resolve: finish } = Promise.withResolvers<Buffer | undefined>()
    this.#orders.push({ card, finish })
    if (this.#orders.length === 1) this.#drawFirst()
    return promise
  }

  #drawFirst(): void {
    clearTimeout(this.#timer)
    const [first] = this.#orders
    if (first === undefined) {
      this.#timer = setTimeout(() => void this.#endWorker(), IDLE_MS).unref()
      return
    }
    this.#worker ??= this.#start()
    this.#timer = setTimeout(() => this.#giveUp(new Error('it took too long')), TIMEOUT_MS)
    this.#worker.postMessage(first.card)
  }

  #finishFirst(png: Buffer | undefined): void {
    this.#orders.shift()?.finish(png)
    this.#drawFirst()
  }

  /** One card must not cost the others their pictures: they get a new worker. */
  #giveUp(err: unknown): void {
    this.#logger.warn({ err }, 'card not drawn')
    void this.#endWorker()
    this.#finishFirst(undefined)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./card-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    worker.unref()
    worker.on('message', (png: Uint8Array | null) => {
      if (this.#worker === worker) this.#finishFirst(png === null ? undefined : Buffer.from(png))
    })
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#giveUp(error)
    })
    return worker
  }

  async #endWorker(): Promise<void> {
    clearTimeout(this.#timer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }
}
