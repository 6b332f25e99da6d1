import { connect, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

const HOST = '127.0.0.1'

/** Ports of a process that is started by the first connection to one of them, so that it costs no memory until then. */
export class OnDemandPorts {
  readonly #start: () => Promise<readonly number[]>
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  #started: Promise<readonly number[]> | undefined

  /** @param start starts the process; resolves with its own ports, in the order of `listen`, when it accepts connections */
  constructor(start: () => Promise<readonly number[]>) {
    this.#start = start
  }

  /** Listens on loopback. Rejects if a port is taken. */
  async listen(ports: readonly number[]): Promise<void> {
    for (const [index, port] of ports.entries()) {
      const server = createServer((client) => void this.#pass(client, index))
      this.#servers.push(server)
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host: HOST }, resolve)
      })
    }
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)))
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(closed)
  }

  /** What the client sends meanwhile waits in its socket. */
  async #pass(client: Socket, index: number): Promise<void> {
    this.#keep(client)
    this.#started ??= this.#start()
    try {
      const upstream = connect({ host: HOST, port: (await this.#started)[index] ?? 0 })
      this.#keep(upstream)
      if (client.destroyed) upstream.destroy()
      // A failure ends both sides.
      pipeline(client, upstream, client, () => undefined)
    } catch {
      // The supervisor has said why. The next connection tries again.
      this.#started = undefined
      client.destroy()
    }
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
  }
}
