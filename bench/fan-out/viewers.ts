import { connect, type Socket } from 'node:net'
import { CHAT_TOPIC, FRAME_BYTES, STREAM_TOPIC, seqAt } from './messages.ts'

/** What all viewers together received since {@link Viewers.reset}. */
export interface Tally {
  deliveries: number
  missing: number
  doubled: number
  /** Deliveries by latency in whole ms; the last slot holds all that took longer. */
  latencies: Uint32Array
}

const MAX_LATENCY_MS = 5000
const CONNECTING_AT_ONCE = 250

/** Many viewers in one process: bare TCP sockets and a frame reader that does only what it must. */
export class Viewers {
  /** When message `seq` was due to be sent, by `performance.now()`. */
  readonly dueAtMs: number[] = []
  tally: Tally = emptyTally()
  readonly #viewers: Viewer[] = []

  get size(): number {
    return this.#viewers.length
  }

  /** Connects one viewer per token; a hub's viewers also join. Resolves when all are in; answers how long it took, in ms. */
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

  /** Forgets what was counted; message numbers go on from `seq`. */
  reset(seq: number): void {
    this.tally = emptyTally()
    for (const viewer of this.#viewers) viewer.lastSeq = seq - 1
  }

  allHave(seq: number): boolean {
    return this.#viewers.every(({ lastSeq }) => lastSeq >= seq)
  }

  /** Each viewer sends a heartbeat; resolves when all are answered. */
  async beat(): Promise<void> {
    await Promise.all(this.#viewers.map((viewer) => viewer.beat()))
  }

  leave(): void {
    for (const viewer of this.#viewers.splice(0)) viewer.leave()
  }
}

const emptyTally = (): Tally => ({
  deliveries: 0,
  missing: 0,
  doubled: 0,
  latencies: new Uint32Array(MAX_LATENCY_MS + 1),
})

/** The latency below which `share` of the deliveries were, in ms. */
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
  readonly #all: Viewers
  #socket: Socket | undefined
  #rest: Buffer | null = null
  #onText: ((text: string) => void) | null = null

  constructor(all: Viewers) {
    this.#all = all
  }

  arrive(port: number, token: string | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(handshake(port)))
      this.#socket = socket
      socket.on('error', reject)
      socket.once('data', (chunk) => {
        const end = chunk.indexOf('\r\n\r\n')
        if (!chunk.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101')))
          return reject(new Error(String(chunk)))
        socket.on('data', (data) => this.#read(data))
        if (chunk.length > end + 4) this.#read(chunk.subarray(end + 4))
        if (token === null) resolve()
        else this.#join(socket, token, resolve)
      })
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
    const join = (ref: string, topic: string): Buffer =>
      clientFrame(JSON.stringify([ref, ref, topic, 'phx_join', { config: {}, access_token: token }]))
    socket.write(Buffer.concat([join('1', STREAM_TOPIC), join('2', CHAT_TOPIC)]))
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest === null ? chunk : Buffer.concat([this.#rest, chunk])
    const nowMs = performance.now()
    let offset = 0
    for (;;) {
      if (offset + 4 > bytes.length) break
      const short = (bytes[offset + 1] ?? 0) & 0x7f
      const start = offset + (short < 126 ? 2 : short === 126 ? 4 : 10)
      if (start > bytes.length) break
      const length =
        short < 126 ? short : short === 126 ? bytes.readUInt16BE(offset + 2) : bytes.readUIntBE(offset + 4, 6)
      if (start + length > bytes.length) break
      if (length === FRAME_BYTES) this.#count(seqAt(bytes, start), nowMs)
      else this.#onText?.(bytes.toString('latin1', start, start + length))
      offset = start + length
    }
    this.#rest = offset === bytes.length ? null : bytes.subarray(offset)
  }

  #count(seq: number, nowMs: number): void {
    const { tally, dueAtMs } = this.#all
    const step = seq - this.lastSeq
    if (step < 1) {
      tally.doubled += 1
      return
    }
    tally.missing += step - 1
    tally.deliveries += 1
    this.lastSeq = seq
    const latency = Math.max(0, Math.min(MAX_LATENCY_MS, Math.floor(nowMs - (dueAtMs[seq] ?? nowMs))))
    tally.latencies[latency] = (tally.latencies[latency] ?? 0) + 1
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

  leave(): void {
    this.#socket?.destroy()
  }
}

const handshake = (port: number): string =>
  [
    'GET /realtime/v1/websocket?apikey=k&vsn=2.0.0 HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n')

/** A masked text frame (RFC 6455 §5.2) with a mask of zeros, which leaves the text as it is. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  if (payload.length < 126)
    return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
  const head = Buffer.from([0x81, 0x80 | 126, 0, 0, 0, 0, 0, 0])
  head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
