import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Simulated conditions of a connection, in each direction. */
export interface LineConditions {
  /** Added delay, in ms. */
  latencyMs: number
  /** Bandwidth per connection and direction. */
  bytesPerSecond: number
}

const CLEAR: LineConditions = { latencyMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY }
/** Buffered bytes per direction before the sender is paused. */
const WINDOW_BYTES = 65_536

type Mode = 'open' | 'blackHole' | 'reset'

/** A TCP proxy on loopback between clients and one server, which a test can slow down, cut and restore. */
export class TcpProxy {
  readonly #target: { host: string; port: number }
  readonly #server: Server
  readonly #lines = new Set<Line>()
  readonly #sockets = new Set<Socket>()
  #conditions = CLEAR
  #mode: Mode = 'open'

  constructor(target: { host: string; port: number }) {
    this.#target = target
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#take(client))
  }

  /** Starts a proxy to the server of this URL, which must have a port. */
  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url)
    const proxy = new TcpProxy({ host: hostname, port: Number(port) })
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The same URL through the proxy. */
  via(url: string): string {
    const own = new URL(url)
    own.hostname = '127.0.0.1'
    own.port = String(this.port)
    return own.href
  }

  /** Slows down data sent from now on. */
  slow(conditions: Partial<LineConditions>): void {
    this.#conditions = { ...CLEAR, ...conditions }
  }

  /**
   * Interrupts the connections. `blackHole`: data is held without an error and delivered after `restore`, as by TCP
   * retransmission. `reset`: all connections are reset, and new ones immediately.
   */
  cut(how: 'blackHole' | 'reset'): void {
    this.#mode = how
    for (const line of this.#lines) {
      if (how === 'reset') line.reset()
      else line.hold()
    }
  }

  /** Silently drops all current connections, like a firewall that lost its state. New connections work. */
  forget(): void {
    for (const line of this.#lines) line.hold()
    this.#lines.clear()
  }

  /** Ends all disturbances. Held connections continue. */
  restore(): void {
    this.#mode = 'open'
    this.#conditions = CLEAR
    for (const line of this.#lines) line.release()
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #take(client: Socket): void {
    this.#keep(client)
    if (this.#mode === 'reset') {
      client.resetAndDestroy()
      return
    }
    const line = new Line(client, this.#target, () => this.#conditions)
    this.#keep(line.upstream)
    this.#lines.add(line)
    client.once('close', () => this.#lines.delete(line))
    if (this.#mode === 'blackHole') line.hold()
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
  }
}

/** One connection through the proxy. */
class Line {
  readonly #client: Socket
  readonly upstream: Socket
  #held = Promise.withResolvers<void>()
  #isHeld = false

  constructor(client: Socket, target: { host: string; port: number }, conditions: () => LineConditions) {
    this.#client = client
    this.upstream = connect({ ...target, allowHalfOpen: true, noDelay: true })
    const held = () => (this.#isHeld ? this.#held.promise : undefined)
    carry(client, this.upstream, conditions, held)
    carry(this.upstream, client, conditions, held)
  }

  hold(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.#held = Promise.withResolvers()
  }

  release(): void {
    this.#isHeld = false
    this.#held.resolve()
  }

  reset(): void {
    this.#client.resetAndDestroy()
    this.upstream.resetAndDestroy()
  }
}

/** Forwards bytes in one direction, in order, after the latency and while the proxy is not cut. */
function carry(
  from: Socket,
  to: Socket,
  conditions: () => LineConditions,
  held: () => Promise<void> | undefined,
): void {
  let freeAtMs = 0
  let underWay = 0
  let last: Promise<unknown> = Promise.resolve()
  from.on('data', (chunk: Buffer) => {
    const { latencyMs, bytesPerSecond } = conditions()
    freeAtMs = Math.max(performance.now(), freeAtMs) + (chunk.length / bytesPerSecond) * 1000
    const dueAtMs = freeAtMs + latencyMs
    underWay += chunk.length
    if (underWay > WINDOW_BYTES) from.pause()
    last = last.then(async () => {
      await reached(dueAtMs)
      await held()
      if (!to.destroyed && !to.write(chunk)) await writable(to)
      underWay -= chunk.length
      if (underWay <= WINDOW_BYTES) from.resume()
    })
  })
  from.on('end', () => {
    last = last.then(held).then(() => to.end())
  })
  // A connection that fails or is refused on one side is reset on the other.
  from.on('error', () => undefined)
  from.on('close', (hadError) => {
    last = last.then(held).then(() => (hadError ? to.resetAndDestroy() : to.end()))
  })
}

/** Resolves when the socket can accept more data, or is closed. */
function writable(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done)
      socket.off('close', done)
      resolve()
    }
    socket.once('drain', done)
    socket.once('close', done)
  })
}

async function reached(atMs: number): Promise<void> {
  const waitMs = atMs - performance.now()
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
}
