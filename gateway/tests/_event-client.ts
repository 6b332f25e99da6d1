import { connect, type Socket } from 'node:net'
import { until } from '@looptide/testkit/until'

/** A client of server-sent events, over a socket whose reading a test can pause. */
export class EventClient {
  readonly socket: Socket
  isClosed = false
  text = ''

  constructor(gatewayUrl: string, path: string, headers: Record<string, string> = {}) {
    const { hostname, port, host } = new URL(gatewayUrl)
    this.socket = connect(Number(port), hostname)
    const lines = Object.entries({ host, accept: 'text/event-stream', ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    this.socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
    this.socket.setEncoding('utf8')
    this.socket.on('data', (text: string) => {
      this.text += text
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', () => {
      this.isClosed = true
    })
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.text)?.[1] ?? 0)
  }

  get head(): string {
    return this.text.split('\r\n\r\n', 1)[0] ?? ''
  }

  /** The data of the events so far. */
  get events(): Record<string, unknown>[] {
    const blocks = this.text.slice(this.head.length + 4).split('\n\n')
    return blocks.flatMap((block) => {
      const data = /(?:^|\n)event: nowplaying\ndata: (\{.*\})$/.exec(block)?.[1]
      return data === undefined ? [] : [JSON.parse(data) as Record<string, unknown>]
    })
  }

  /** Resolves when there are this many events. */
  async received(count: number): Promise<Record<string, unknown>[]> {
    await until(`${count} events are received`, () => this.events.length >= count)
    return this.events
  }

  async answered(): Promise<number> {
    await until('the head is received', () => this.text.includes('\r\n\r\n'))
    return this.status
  }

  async closed(): Promise<void> {
    await until('the connection is closed', () => this.isClosed)
  }

  close(): void {
    this.socket.destroy()
  }
}
