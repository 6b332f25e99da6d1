import { connect, type Socket } from 'node:net'
import { until } from '@looptide/testkit/until'

/** A TCP connection to a station, for requests that no HTTP client would send. */
export class RawConnection {
  readonly #socket: Socket
  /** Everything received, as Latin-1. */
  text = ''
  isClosed = false

  constructor(stationUrl: string) {
    const { hostname, port } = new URL(stationUrl)
    this.#socket = connect(Number(port), hostname)
    this.#socket.on('data', (bytes) => {
      this.text += bytes.toString('latin1')
    })
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => {
      this.isClosed = true
    })
  }

  /** Sends these bytes unchanged; a text is sent as Latin-1. */
  write(bytes: string | Buffer): void {
    if (!this.isClosed) this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /** Stops reading. The end of the connection is not noticed either. */
  pause(): void {
    this.#socket.pause()
  }

  /** Status of each response so far. */
  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  }

  /** Resolves when the server has closed the connection. */
  async whenClosed(timeoutMs = 10_000): Promise<this> {
    await until('the server closes the connection', () => this.isClosed, { timeoutMs })
    return this
  }

  destroy(): void {
    this.#socket.destroy()
  }
}

/** Sends bytes after which the server closes the connection. Returns everything received until then. */
export async function exchange(stationUrl: string, bytes: string | Buffer): Promise<RawConnection> {
  const connection = new RawConnection(stationUrl)
  connection.write(bytes)
  return connection.whenClosed()
}

/** Sends a GET with this exact request target. The connection ends with the response. */
export const getTarget = (
  stationUrl: string,
  target: string,
  headers: readonly string[] = ['Host: localhost'],
): Promise<RawConnection> =>
  exchange(stationUrl, `GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`)
