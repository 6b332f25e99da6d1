import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Bytes of TCP payload in each direction. */
export interface Traffic {
  up: number
  down: number
}

/** A TCP proxy between a browser and the station that counts every byte. */
export class CountingProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #traffic: Traffic = { up: 0, down: 0 }

  constructor(targetPort: number) {
    this.#server = createServer((client) => {
      const upstream = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
      client.setNoDelay(true)
      for (const [from, to, way] of [
        [client, upstream, 'up'],
        [upstream, client, 'down'],
      ] as const) {
        this.#sockets.add(from)
        from.on('data', (chunk) => {
          this.#traffic[way] += chunk.length
          to.write(chunk)
        })
        from.on('error', () => to.destroy())
        from.on('close', () => {
          this.#sockets.delete(from)
          to.destroy()
        })
      }
    })
  }

  /** Resolves with the port it listens on. */
  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  /** Traffic since the last call. */
  take(): Traffic {
    const taken = this.#traffic
    this.#traffic = { up: 0, down: 0 }
    return taken
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}
