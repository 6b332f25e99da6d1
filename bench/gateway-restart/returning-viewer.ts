import { connect, type Socket } from 'node:net'
import { reconnectDelayMs } from '../../web/src/lib/realtime/reconnect-delay.ts'
import { closeFrame, FrameReader, handshake, joinFrame } from '../sockets/wire.ts'

/** Topics and identity of a viewer. */
export interface Place {
  port: number
  /** Topic names with `realtime:`. */
  topics: readonly string[]
  token: string | null
}

/** A viewer that reconnects with the web app's own delays and joins all its topics again. */
export class ReturningViewer {
  /** When all topics were joined again, by `performance.now()`; null until then. */
  joinedAtMs: number | null = null
  /** Attempts since the last successful one. */
  tries = 0
  readonly #place: Place
  readonly #onJoined: () => void
  #socket: Socket | undefined
  #timer: NodeJS.Timeout | undefined
  #hasLeft = false

  constructor(place: Place, onJoined: () => void) {
    this.#place = place
    this.#onJoined = onJoined
  }

  come(): void {
    const { port, topics, token } = this.#place
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(handshake(port)))
    this.#socket = socket
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#reconnect())
    const missing = new Set(topics.map((_, index) => String(index + 1)))
    const reader = new FrameReader(
      (bytes, start, length) => {
        if (missing.size === 0) return
        const [, ref, , event] = JSON.parse(bytes.toString('utf8', start, start + length)) as unknown[]
        if (event !== 'phx_reply' || !missing.delete(String(ref)) || missing.size > 0) return
        this.joinedAtMs = performance.now()
        this.tries = 0
        this.#onJoined()
      },
      // As every browser does: a server waits for the close frame before it ends the connection.
      () => socket.end(closeFrame),
    )
    socket.once('data', (chunk) => {
      const end = chunk.indexOf('\r\n\r\n')
      if (!chunk.subarray(0, 12).equals(Buffer.from('HTTP/1.1 101'))) return socket.destroy()
      socket.on('data', (data) => reader.read(data))
      if (chunk.length > end + 4) reader.read(chunk.subarray(end + 4))
      socket.write(Buffer.concat(topics.map((topic, index) => joinFrame(String(index + 1), topic, token))))
    })
  }

  leave(): void {
    this.#hasLeft = true
    clearTimeout(this.#timer)
    this.#socket?.destroy()
  }

  #reconnect(): void {
    this.joinedAtMs = null
    if (this.#hasLeft) return
    this.tries += 1
    this.#timer = setTimeout(() => this.come(), reconnectDelayMs(this.tries))
  }
}
