import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { clientFrame, FrameReader, handshake, joinFrame } from '../sockets/wire.ts'

/** Time between two heartbeats of a viewer, in ms. */
const BEAT_MS = 500
const HEARTBEAT = clientFrame(JSON.stringify([null, 'b', 'phoenix', 'heartbeat', {}]))

/** A viewer on one topic that sends heartbeats and measures their latency. */
export class BeatingViewer {
  /** Of answered heartbeats, in ms. */
  latenciesMs: number[] = []
  readonly #socket: Socket
  readonly #phase: number
  readonly #port: number
  readonly #joined = Promise.withResolvers<void>()
  /** Times of unanswered heartbeats, oldest first, in ms by `performance.now()`. */
  readonly #sentAtMs: number[] = []
  #timer: NodeJS.Timeout | undefined

  /** `phase`: when in the interval heartbeats are sent, from 0 to 1. */
  constructor(port: number, phase: number) {
    this.#port = port
    this.#phase = phase
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
  }

  async join(topic: string): Promise<void> {
    const reader = new FrameReader((bytes, start, length, readAtMs) =>
      this.#take(bytes, start, length, readAtMs),
    )
    this.#socket.write(handshake(this.#port))
    this.#socket.once('data', (chunk) => {
      const rest = chunk.subarray(chunk.indexOf('\r\n\r\n') + 4)
      this.#socket.on('data', (data) => reader.read(data))
      this.#socket.write(joinFrame('j', topic, null))
      if (rest.length > 0) reader.read(rest)
    })
    await this.#joined.promise
    await pause(this.#phase * BEAT_MS)
    this.#timer = setInterval(() => {
      this.#sentAtMs.push(performance.now())
      this.#socket.write(HEARTBEAT)
    }, BEAT_MS)
  }

  /** Latencies so far; an unanswered heartbeat counts with the time it has waited. */
  seenMs(): number[] {
    const nowMs = performance.now()
    return [...this.latenciesMs, ...this.#sentAtMs.map((atMs) => nowMs - atMs)]
  }

  leave(): void {
    clearInterval(this.#timer)
    this.#socket.destroy()
  }

  #take(bytes: Buffer, start: number, length: number, readAtMs: number): void {
    const text = bytes.toString('latin1', start, start + length)
    if (text.startsWith('["j"')) this.#joined.resolve()
    if (!text.startsWith('[null,"b"')) return
    const sentAtMs = this.#sentAtMs.shift()
    if (sentAtMs !== undefined) this.latenciesMs.push(Math.max(0, readAtMs - sentAtMs))
  }
}
