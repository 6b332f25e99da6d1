import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { until } from '@looptide/testkit/until'

type Frame = [
  string | null,
  string | null,
  string,
  string,
  { status?: string; response?: { reason?: string } },
]

/** A socket to one gateway that does not reconnect. */
export class BareSocket {
  readonly #socket: WebSocket
  readonly #frames: Frame[] = []
  /** The code of the close frame, after the socket has closed. */
  closeCode: number | undefined
  #ref = 0

  constructor(gatewayUrl: string) {
    this.#socket = new WebSocket(
      `${gatewayUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${PUBLIC_API_KEY}&vsn=2.0.0`,
    )
    this.#socket.addEventListener('message', ({ data }) =>
      this.#frames.push(JSON.parse(String(data)) as Frame),
    )
    this.#socket.addEventListener('close', ({ code }) => {
      this.closeCode = code
    })
  }

  static async open(gatewayUrl: string): Promise<BareSocket> {
    const bare = new BareSocket(gatewayUrl)
    await until('the socket is open', () => bare.#socket.readyState === WebSocket.OPEN)
    return bare
  }

  /** Joins a topic (name without the protocol's prefix); throws if it is refused. */
  async join(topic: string, accessToken?: string): Promise<void> {
    const result = await this.tryJoin(topic, accessToken)
    if (result !== 'ok') throw new Error(`${topic} refused: ${result}`)
  }

  /** Joins a topic with acknowledged broadcasts; returns `ok` or the reason of the refusal. */
  tryJoin(topic: string, accessToken?: string): Promise<string> {
    const config = { broadcast: { ack: true }, presence: { enabled: true } }
    const payload = { config, ...(accessToken === undefined ? {} : { access_token: accessToken }) }
    return this.ask(topic, 'phx_join', payload)
  }

  /** Sends an event to a topic (name without the protocol's prefix); returns `ok` or the reason of the refusal. */
  async ask(topic: string, event: string, payload: object): Promise<string> {
    this.#ref += 1
    const ref = String(this.#ref)
    const joinRef = event === 'phx_join' ? ref : null
    this.#socket.send(JSON.stringify([joinRef, ref, `realtime:${topic}`, event, payload]))
    const [, , , , { status, response }] = await until(`${event} on ${topic} is answered`, () =>
      this.#frames.find((frame) => frame[1] === ref && frame[3] === 'phx_reply'),
    )
    return status === 'ok' ? 'ok' : (response?.reason ?? 'refused')
  }

  /** Broadcasts to all others on a joined topic; there is no reply. */
  broadcast(topic: string, event: string, payload: unknown): void {
    this.#ref += 1
    const message = { type: 'broadcast', event, payload }
    this.#socket.send(JSON.stringify([null, String(this.#ref), `realtime:${topic}`, 'broadcast', message]))
  }

  /** All frames received until now, as one text. */
  get received(): string {
    return JSON.stringify(this.#frames)
  }

  close(): void {
    this.#socket.close()
  }
}
