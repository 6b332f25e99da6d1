import { connect, type Socket } from 'node:net'

const CONNECTING_AT_ONCE = 250
/** Every socket is read into this buffer, as in `../fan-out/viewers.ts`. */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536)

/** Many clients of server-sent events in one process. */
export class EventClients {
  readonly #path: string
  readonly #sockets: Socket[] = []

  constructor(path: string) {
    this.#path = path
  }

  /** Connects this many more clients. Resolves when each has its first event. */
  async arrive(port: number, count: number): Promise<void> {
    let left = count
    const next = async (): Promise<void> => {
      while (left > 0) {
        left -= 1
        await this.#connect(port)
      }
    }
    await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, next))
  }

  leave(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy()
  }

  #connect(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const onread = {
        buffer: READ_BUFFER,
        callback: (length: number): boolean => {
          if (READ_BUFFER.subarray(0, length).includes('event: nowplaying')) resolve()
          return true
        },
      }
      const socket = connect({ port, host: '127.0.0.1', onread })
      socket.once('error', reject)
      socket.once('close', () => reject(new Error('The gateway has closed a connection.')))
      socket.write(`GET ${this.#path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
      this.#sockets.push(socket)
    })
  }
}
