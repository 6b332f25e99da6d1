import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { clientFrame, FrameReader, handshake, joinFrame } from '../sockets/wire.ts'
import { CHAT_TOPIC, FRAME_BYTES, STREAM_TOPIC, seqAt } from './messages.ts'

/** The message number in a frame's payload; null for other frames. */
export type ReadSeq = (bytes: Buffer, start: number, length: number) => number | null

export const readOwnSeq: ReadSeq = (bytes, start, length) =>
  length === FRAME_BYTES ? seqAt(bytes, start) : null

/** Token of a viewer who joins without one. */
export const VISITOR = ''

/** Totals of all viewers since {@link Viewers.reset}. */
export interface Tally {
  deliveries: number
  doubled: number
  /** Deliveries by latency in whole ms; the last slot contains all longer ones. */
  latencies: Uint32Array
}

const MAX_LATENCY_MS = 5000
const CONNECTING_AT_ONCE = 250
/**
 * Every socket is read into this buffer. Node would otherwise allocate 64 KiB for each read, and the receivers would need
 * more of the processor than the server under test.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536)

/** Many viewers in one process: plain TCP sockets with a minimal frame reader. */
export class Viewers {
  /** When message `seq` is due, by `performance.now()`. */
  readonly dueAtMs: number[] = []
  tally: Tally = emptyTally()
  /** May be replaced between two steps. */
  readSeq: ReadSeq
  readonly #viewers: Viewer[] = []

  constructor(readSeq: ReadSeq = readOwnSeq) {
    this.readSeq = readSeq
  }

  get size(): number {
    return this.#viewers.length
  }

  /**
   * Connects one viewer per token; a hub's viewers also join, {@link VISITOR}s without a token. Resolves with the
   * duration in ms.
   */
  async arrive(port: number, tokens: readonly (string | null)[]): Promise<number> {
    const startedAtMs = performance.now()
    const waiting = [...tokens]
    const next = async (): Promise<void> => {
      for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) {
        const viewer = new Viewer(this)
        this.#viewers.push(viewer)
        await viewer.arrive(port, token)
      }
    }
    await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, next))
    return performance.now() - startedAtMs
  }

  /**
   * Resets the counters; message numbers continue from `seq`. With `unordered`, that many may arrive in any order.
   */
  reset(seq: number, unordered?: number): void {
    this.tally = emptyTally()
    for (const viewer of this.#viewers) viewer.reset(seq, unordered)
  }

  allHave(seq: number): boolean {
    return this.#viewers.every(({ lastSeq }) => lastSeq >= seq)
  }

  /** Each viewer sends a heartbeat; resolves when all are answered. */
  async beat(): Promise<void> {
    await Promise.all(this.#viewers.map((viewer) => viewer.beat()))
  }

  /** The viewers, or the first of them, send this frame one after the other, spread over a time in ms. */
  async sendInTurn(frame: Buffer, overMs: number, signal: AbortSignal, count = this.size): Promise<void> {
    const startedAtMs = performance.now()
    for (const [index, viewer] of this.#viewers.slice(0, count).entries()) {
      const dueAtMs = startedAtMs + (index * overMs) / count
      const waitMs = dueAtMs - performance.now()
      if (waitMs > 0) await pause(waitMs)
      if (signal.aborted) return
      viewer.say(frame)
    }
  }

  leave(): void {
    for (const viewer of this.#viewers.splice(0)) viewer.leave()
  }
}

export const emptyTally = (): Tally => ({
  deliveries: 0,
  doubled: 0,
  latencies: new Uint32Array(MAX_LATENCY_MS + 1),
})

/** The totals of both. */
export const addTally = (a: Tally, b: Tally): Tally => ({
  deliveries: a.deliveries + b.deliveries,
  doubled: a.doubled + b.doubled,
  latencies: a.latencies.map((count, ms) => count + (b.latencies[ms] ?? 0)),
})

/** The latency that `share` of the deliveries did not exceed, in ms. */
export function percentile({ latencies, deliveries }: Tally, share: number): number {
  let seen = 0
  for (const [ms, count] of latencies.entries()) {
    seen += count
    if (seen >= deliveries * share) return ms
  }
  return MAX_LATENCY_MS
}

class Viewer {
  lastSeq = -1
  #firstSeq = 0
  /** Received messages, where they may arrive in any order. */
  #seen: Uint8Array | null = null
  readonly #all: Viewers
  #socket: Socket | undefined
  #onText: ((text: string) => void) | null = null

  constructor(all: Viewers) {
    this.#all = all
  }

  reset(seq: number, unordered: number | undefined): void {
    this.lastSeq = seq - 1
    this.#firstSeq = seq
    this.#seen = unordered === undefined ? null : new Uint8Array(unordered)
  }

  arrive(port: number, token: string | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const reader = new FrameReader((...frame) => this.#take(...frame))
      let isOpen = false
      const open = (chunk: Buffer): void => {
        if (!chunk.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) reject(new Error(String(chunk)))
        isOpen = true
        reader.read(chunk.subarray(chunk.indexOf('\r\n\r\n') + 4))
        if (token === null) resolve()
        else this.#join(socket, token, resolve)
      }
      const callback = (bytes: number): boolean => {
        const chunk = READ_BUFFER.subarray(0, bytes)
        if (isOpen) reader.read(chunk)
        else open(chunk)
        return true
      }
      const onread = { buffer: READ_BUFFER, callback }
      const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, () =>
        socket.write(handshake(port)),
      )
      this.#socket = socket
      socket.on('error', reject)
    })
  }

  #join(socket: Socket, token: string, resolve: () => void): void {
    let snapshots = 0
    this.#onText = (text) => {
      if (!text.includes('"snapshot"')) return
      snapshots += 1
      if (snapshots < 2) return
      this.#onText = null
      resolve()
    }
    const shown = token === VISITOR ? null : token
    socket.write(Buffer.concat([joinFrame('1', STREAM_TOPIC, shown), joinFrame('2', CHAT_TOPIC, shown)]))
  }

  #take(bytes: Buffer, start: number, length: number, readAtMs: number): void {
    const seq = this.#all.readSeq(bytes, start, length)
    if (seq !== null) this.#count(seq, readAtMs)
    else this.#onText?.(bytes.toString('latin1', start, start + length))
  }

  #count(seq: number, nowMs: number): void {
    const { tally, dueAtMs } = this.#all
    if (this.#isDouble(seq)) {
      tally.doubled += 1
      return
    }
    tally.deliveries += 1
    const latency = Math.max(0, Math.min(MAX_LATENCY_MS, Math.floor(nowMs - (dueAtMs[seq] ?? nowMs))))
    tally.latencies[latency] = (tally.latencies[latency] ?? 0) + 1
  }

  #isDouble(seq: number): boolean {
    if (this.#seen === null) {
      if (seq <= this.lastSeq) return true
      this.lastSeq = seq
      return false
    }
    const index = seq - this.#firstSeq
    if (this.#seen[index] === 1) return true
    this.#seen[index] = 1
    return false
  }

  beat(): Promise<void> {
    return new Promise((resolve) => {
      this.#onText = (text) => {
        if (!text.includes('"phx_reply"')) return
        this.#onText = null
        resolve()
      }
      this.#socket?.write(clientFrame(JSON.stringify([null, 'b', 'phoenix', 'heartbeat', {}])))
    })
  }

  say(frame: Buffer): void {
    this.#socket?.write(frame)
  }

  leave(): void {
    this.#socket?.destroy()
  }
}
