import { connect, type Socket } from 'node:net'
import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { until } from '@looptide/testkit/until'
import { WebSocket } from 'ws'
import { textFrame } from './frames.ts'

/** A WebSocket to the station that sends any bytes. Responses are parsed by a standard client. */
export class HostileSocket {
  readonly #socket: WebSocket
  readonly #version: string
  #wire: Socket | undefined
  #isAnswered = false
  /** Code of the close frame; 1006 without one. */
  closeCode: number | undefined

  constructor(stationUrl: string, version: '1.0.0' | '2.0.0') {
    this.#version = version
    const url = `${stationUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${PUBLIC_API_KEY}&vsn=${version}`
    const { hostname, port } = new URL(stationUrl)
    this.#socket = new WebSocket(url, {
      createConnection: () => {
        this.#wire = connect(Number(port), hostname)
        return this.#wire
      },
    })
    this.#socket.on('error', () => undefined)
    this.#socket.on('message', (data) => {
      if (String(data).includes('"the end"')) this.#isAnswered = true
    })
    this.#socket.on('close', (code) => {
      this.closeCode = code
    })
  }

  static async open(stationUrl: string, version: '1.0.0' | '2.0.0' = '2.0.0'): Promise<HostileSocket> {
    const socket = new HostileSocket(stationUrl, version)
    await until('the socket is open', () => socket.#socket.readyState === WebSocket.OPEN)
    return socket
  }

  /** Sends these bytes unchanged. Does nothing if the socket is closed. */
  write(bytes: Uint8Array): void {
    if (this.closeCode === undefined) this.#wire?.write(bytes)
  }

  /** Resolves when the station has processed everything sent so far, or the socket is closed. */
  async settled(): Promise<void> {
    const beat = { join_ref: null, ref: 'the end', topic: 'phoenix', event: 'heartbeat', payload: {} }
    const isFirst = this.#version === '1.0.0'
    this.write(textFrame(JSON.stringify(isFirst ? beat : Object.values(beat))))
    await until('the socket answers or is closed', () => this.#isAnswered || this.closeCode !== undefined)
  }

  whenClosed(): Promise<number> {
    return until('the socket is closed', () => this.closeCode)
  }

  /** Closes the connection without a close frame. */
  destroy(): void {
    this.#wire?.destroy()
    this.#socket.terminate()
  }
}
