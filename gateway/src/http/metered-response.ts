import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { ClientNetwork } from '@looptide/service-kit/limits/client-network'
import type { ClientReader } from '../limits/client-reader.ts'
import type { Transfer, Transfers } from '../limits/transfers.ts'

/** Larger answers are written in parts, in bytes: the progress of one write cannot be observed. */
const WHOLE_BYTES = 65_536
const PART_BYTES = 16_384
/** Parts after which other connections get their turn. The system takes megabytes of an answer that nobody reads at once. */
const PARTS_PER_TURN = 4

type Encoding = BufferEncoding | null
/** `writableLength`: of a transformation. */
type Source = Readable & { writableLength?: number }
type Callback = (error?: Error | null) => void

/**
 * The class of a server's responses, as an option of Node's server, so that every write over HTTP passes it. An answer that
 * the connection does not take at once is held in `answers` until the client has read it. Several clients may be sent the
 * same buffer; it is not copied.
 */
export const meteredResponses = (answers: Transfers, clients: ClientReader) =>
  class<R extends IncomingMessage> extends MeteredResponse<R> {
    get answers(): Transfers {
      return answers
    }

    get clients(): ClientReader {
      return clients
    }
  }

abstract class MeteredResponse<R extends IncomingMessage> extends ServerResponse<R> implements Transfer {
  #client: ClientNetwork | undefined
  /** What is not yet written of a large answer. */
  #rest: Buffer | undefined
  #writtenBytes = 0
  #isHeld = false
  /** The stream that a route pipes into the answer: its buffers wait for the client too. */
  #source: Source | undefined

  abstract get answers(): Transfers
  abstract get clients(): ClientReader

  override write(chunk: unknown, encoding?: Encoding | Callback, callback?: Callback): boolean {
    const mayContinue = super.write(chunk, encoding as BufferEncoding, callback)
    this.#writtenBytes += sizeOf(chunk)
    if (!mayContinue) this.#hold()
    return mayContinue
  }

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    if (event === 'pipe') this.#source = args[0] as Source
    return super.emit(event, ...args)
  }

  override end(chunk?: unknown, encoding?: Encoding | Callback, callback?: Callback): this {
    this.#writtenBytes += sizeOf(chunk)
    if (sizeOf(chunk) <= WHOLE_BYTES) super.end(chunk, encoding as BufferEncoding, callback)
    else {
      const onEnd = typeof encoding === 'function' ? encoding : callback
      if (typeof onEnd === 'function') this.once('finish', onEnd)
      this.#rest = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer)
      this.#writePart()
    }
    // Most answers are taken by the system at once.
    if (this.writableLength > 0) this.#hold()
    return this
  }

  get client(): ClientNetwork {
    this.#client ??= this.clients.networkOf(this.req)
    return this.#client
  }

  get movedBytes(): number {
    return Math.max(0, this.#writtenBytes - this.#unsentBytes)
  }

  get isOver(): boolean {
    return this.req.socket.destroyed || this.writableFinished
  }

  /** Resets the connection, so that the system also drops what the client has not read. */
  close(): void {
    const { socket } = this.req
    if (socket instanceof TLSSocket) socket.destroy()
    else socket.resetAndDestroy()
  }

  get #unsentBytes(): number {
    return (this.#rest?.length ?? 0) + this.writableLength
  }

  #writePart(number = 1): void {
    if (this.#rest === undefined) return
    const part = this.#rest.subarray(0, PART_BYTES)
    this.#rest = this.#rest.length > PART_BYTES ? this.#rest.subarray(PART_BYTES) : undefined
    if (this.#rest === undefined) super.end(part)
    else
      super.write(part, (error) => {
        if (error || this.isOver) return
        if (number % PARTS_PER_TURN === 0) setImmediate(() => this.#writePart(number + 1))
        else this.#writePart(number + 1)
        this.#hold()
      })
  }

  #hold(): void {
    if (this.isOver) return
    if (!this.#isHeld) {
      this.#isHeld = true
      this.once('close', () => this.answers.end(this))
    }
    const { readableLength = 0, writableLength = 0 } = this.#source ?? {}
    this.answers.hold(this, this.#unsentBytes + readableLength + writableLength)
  }
}

/** Characters count as bytes. */
const sizeOf = (chunk: unknown): number =>
  typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk.length : 0
