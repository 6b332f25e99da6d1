import { randomUUID } from 'node:crypto'
import type { NowState, Programme } from '@looptide/contracts/http/channels'
import type { ChatMessage, ChatPage } from '@looptide/contracts/http/chat'
import { PUBLIC_API_KEY } from '@looptide/contracts/realtime'
import { bearerOf } from '@looptide/testkit/client'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import type { Viewer } from './people.ts'
import { attempt, isGood, Tally } from './tally.ts'

/** Maximum time to an answer, in ms; a request without one has failed. */
const TIMEOUT_MS = 15_000

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Posts chat messages without pause. Repeats a message under the same id until it is acknowledged. */
export class Chatter {
  /** Acknowledged messages, as the station answered them. */
  readonly acknowledged: ChatMessage[] = []
  /** Number of repeated posts. */
  repeats = 0
  readonly tally: Tally
  readonly #url: string
  readonly #viewer: Viewer
  readonly #everyMs: number
  #talking: Promise<void> | undefined
  #stopped = false

  constructor(stationUrl: string, channelId: string, viewer: Viewer, everyMs: number, tally = new Tally()) {
    this.tally = tally
    this.#url = `${stationUrl}/api/chat/channels/${channelId}/messages`
    this.#viewer = viewer
    this.#everyMs = everyMs
  }

  start(): void {
    this.#talking = this.#talk()
  }

  /** Stops after the current message was acknowledged. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#talking
  }

  async #talk(): Promise<void> {
    for (let count = 1; !this.#stopped; count += 1) {
      await this.#say(`${this.#viewer.email} says ${count}`)
      await pause(this.#everyMs)
    }
  }

  async #say(message: string): Promise<void> {
    const startedAtMs = performance.now()
    const body = JSON.stringify({ clientId: randomUUID(), message })
    const headers = {
      'content-type': 'application/json',
      ...bearerOf(this.#viewer.accessToken),
    }
    for (;;) {
      const answer = await attempt(this.#url, { method: 'POST', headers, body }, TIMEOUT_MS)
      if (isGood(answer)) {
        this.acknowledged.push(answer.body as ChatMessage)
        this.tally.good(performance.now() - startedAtMs)
        return
      }
      const comesAgain = answer.status === 0 || answer.status === 429 || answer.status >= 500
      if (!comesAgain) throw new Error(`a good message was refused: ${answer.what}`)
      this.tally.bad(answer.what)
      this.repeats += 1
      await pause(200)
    }
  }
}

/** A viewer with the stock realtime client, who fetches missed messages over HTTP. */
export class Watcher {
  /** The received chat messages, by sequence number. */
  readonly messages = new Map<number, ChatMessage>()
  /** Messages that were received again with another number or text. */
  readonly contradictions: string[] = []
  readonly programmes = new Map<number, Programme>()
  readonly #stationUrl: string
  readonly #channelId: string
  readonly #client: RealtimeClient
  #chat: RealtimeChannel | undefined
  #joins = 0

  constructor(stationUrl: string, channelId: string) {
    this.#stationUrl = stationUrl
    this.#channelId = channelId
    this.#client = new RealtimeClient(`${stationUrl.replace(/^http/, 'ws')}/realtime/v1`, {
      params: { apikey: PUBLIC_API_KEY },
    })
  }

  get joins(): number {
    return this.#joins
  }

  /** Whether it receives the chat at the moment. */
  get isJoined(): boolean {
    return this.#chat?.state === 'joined'
  }

  start(): void {
    const chat = this.#client.channel(`chat:${this.#channelId}`)
    this.#chat = chat
    chat.on('broadcast', { event: 'message' }, ({ payload }) =>
      this.#take((payload as { message: ChatMessage }).message),
    )
    chat.subscribe((status) => {
      if (status !== 'SUBSCRIBED') return
      this.#joins += 1
      void this.catchUp().catch(() => undefined)
    })
    const stream = this.#client.channel(`stream:${this.#channelId}`)
    for (const event of ['snapshot', 'now']) {
      stream.on('broadcast', { event }, ({ payload }) =>
        this.#takeProgrammes((payload as Partial<NowState>).programmes ?? []),
      )
    }
    stream.subscribe()
  }

  async stop(): Promise<void> {
    await this.#client.disconnect()
  }

  /** Fetches messages from the last number before a gap. */
  async catchUp(): Promise<void> {
    for (;;) {
      const response = await fetch(
        `${this.#stationUrl}/api/chat/channels/${this.#channelId}/messages?after=${this.#lastWithoutGap()}&limit=100`,
      )
      if (!response.ok) throw new Error(`catching up was answered ${response.status}`)
      const page = (await response.json()) as ChatPage
      for (const message of page.items) this.#take(message)
      if (page.items.length < 100) return
    }
  }

  #lastWithoutGap(): number {
    let seq = 0
    while (this.messages.has(seq + 1)) seq += 1
    return seq
  }

  #take(message: ChatMessage): void {
    const known = this.messages.get(message.seq)
    if (known !== undefined && known.id !== message.id)
      this.contradictions.push(`${message.seq}: ${message.message}`)
    this.messages.set(message.seq, message)
  }

  #takeProgrammes(programmes: readonly Programme[]): void {
    for (const programme of programmes) {
      const known = this.programmes.get(programme.seq)
      if (known !== undefined && known.startsAtMs !== programme.startsAtMs) {
        this.contradictions.push(
          `programme ${programme.seq} moved by ${programme.startsAtMs - known.startsAtMs} ms`,
        )
      }
      this.programmes.set(programme.seq, programme)
    }
  }
}
