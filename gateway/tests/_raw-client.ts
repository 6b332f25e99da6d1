import { until } from '@looptide/testkit/until'
import { type RawData, WebSocket } from 'ws'

export type Message = [string | null, string | null, string, string, Record<string, unknown>]

/** A WebSocket client that encodes version 2.0.0 itself, for frames that the libraries never send. */
export class RawClient {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  readonly binary: Buffer[] = []
  closed: { code: number; reason: string } | null = null
  #ref = 0

  constructor(realtimeUrl: string, query = 'apikey=k&vsn=2.0.0', options: { forwardedFor?: string } = {}) {
    const headers = options.forwardedFor === undefined ? {} : { 'x-forwarded-for': options.forwardedFor }
    this.socket = new WebSocket(`${realtimeUrl}/websocket?${query}`, { headers })
    this.socket.on('message', (data: RawData, isBinary) => {
      if (isBinary) this.binary.push(data as Buffer)
      else this.messages.push(JSON.parse(String(data)) as Message)
    })
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
    this.socket.on('error', () => undefined)
  }

  async open(): Promise<this> {
    await until('the socket is open', () => this.socket.readyState === WebSocket.OPEN)
    return this
  }

  /** Sends a frame and returns its ref. */
  send(topic: string, event: string, payload: unknown = {}, joinRef: string | null = null): string {
    this.#ref += 1
    this.socket.send(JSON.stringify([joinRef, String(this.#ref), topic, event, payload]))
    return String(this.#ref)
  }

  /** Joins a topic and returns the reply's payload and the join_ref. */
  async join(
    topic: string,
    payload: unknown = {},
  ): Promise<{ joinRef: string; status: string; response: Record<string, unknown> }> {
    this.#ref += 1
    const joinRef = String(this.#ref)
    this.socket.send(JSON.stringify([joinRef, joinRef, topic, 'phx_join', payload]))
    const { status, response } = await this.reply(joinRef)
    return { joinRef, status, response }
  }

  async reply(ref: string): Promise<{ status: string; response: Record<string, unknown> }> {
    const message = await this.find((m) => m[3] === 'phx_reply' && m[1] === ref)
    return message[4] as { status: string; response: Record<string, unknown> }
  }

  find(matches: (message: Message) => boolean): Promise<Message> {
    return until('the message is received', () => this.messages.find(matches))
  }

  /** The payload of the first broadcast of this event on a topic. */
  async broadcast(topic: string, event: string): Promise<Record<string, unknown>> {
    const isMatch = (m: Message): boolean => m[2] === topic && m[3] === 'broadcast' && m[4].event === event
    return (await this.find(isMatch))[4].payload as Record<string, unknown>
  }

  /** Resolves when everything sent so far is handled. Frames are handled in order. */
  async settled(): Promise<void> {
    await this.reply(this.send('phoenix', 'heartbeat'))
  }

  async whenClosed(): Promise<{ code: number; reason: string }> {
    return until('the socket is closed', () => this.closed)
  }

  close(): void {
    this.socket.terminate()
  }
}
