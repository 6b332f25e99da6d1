import { topics } from '@looptide/contracts/realtime'
import type { RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { type Editing, editorsIn, mergeEditing } from './presence.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

/**
 * joining: a join is under way; joined: pushes arrive; down: connection or permission lost. The client rejoins by
 * itself. Pushes sent while it was down are lost: fetch them over HTTP on each `joined`.
 */
export type TopicState = 'joining' | 'joined' | 'down'

/** A listener of a topic, whatever the kind of the topic. */
export interface AnyListener {
  pushes: Record<string, ((payload: never) => void) | undefined>
  onState?: ((state: TopicState) => void) | undefined
  /** On the admin topic: what this page is editing, shown to other admins. */
  presence?: { own: Editing; onChange: (all: readonly Editing[]) => void }
}

/** Delay before a topic without listeners is left, in ms: an effect that runs again keeps the membership. */
const LEAVE_DELAY_MS = 1_000
/** Topics that need a permission; those of users are private as well. */
const PRIVATE_TOPICS: ReadonlySet<string> = new Set([topics.admin, topics.audit, topics.moderation])

/** One membership of a topic, shared by all its listeners. It is kept while there are any. */
export class SharedTopic {
  readonly #client: RealtimeClient
  readonly #name: string
  readonly #onEmpty: () => void
  readonly #listeners = new Set<AnyListener>()
  #state: TopicState = 'joining'
  #channel: RealtimeChannel | undefined
  /** Joins that were closed since the last successful one. */
  #failures = 0
  #isTracked = false
  /** The next join, or the leave of a topic without listeners. */
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `onEmpty` is called when the topic was left because it has no listeners any more. */
  constructor(client: RealtimeClient, name: string, onEmpty: () => void) {
    this.#client = client
    this.#name = name
    this.#onEmpty = onEmpty
  }

  /** Returns how to remove the listener. It is called only afterwards, so that it can use what the caller gets. */
  add(listener: AnyListener): () => void {
    this.#listeners.add(listener)
    clearTimeout(this.#timer)
    if (this.#channel) queueMicrotask(() => this.#notify(listener))
    else void this.#join()
    if (listener.presence) {
      this.#track()
      this.#showPresence()
    }
    return () => this.#remove(listener)
  }

  /** Sends a request if the topic is joined; returns whether it was sent. */
  send(event: string, payload: object): boolean {
    if (!this.#channel || this.#state !== 'joined') return false
    void this.#channel.send({ type: 'broadcast', event, payload })
    return true
  }

  #notify(listener: AnyListener): void {
    if (this.#listeners.has(listener)) listener.onState?.(this.#state)
  }

  #remove(listener: AnyListener): void {
    this.#listeners.delete(listener)
    if (listener.presence) this.#track()
    if (this.#listeners.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#leave(), LEAVE_DELAY_MS)
  }

  get #isPrivate(): boolean {
    return PRIVATE_TOPICS.has(this.#name) || this.#name.startsWith('user:')
  }

  async #join(): Promise<void> {
    // A private topic is refused without a token, and the next attempt would follow only a second later.
    if (this.#isPrivate) await this.#client.setAuth()
    if (this.#listeners.size === 0 || this.#channel) return
    const channel = this.#client.channel(this.#name, { config: { private: this.#isPrivate } })
    this.#channel = channel
    channel.on('broadcast', { event: '*' }, ({ event, payload }: { event: string; payload?: unknown }) => {
      if (event === 'batch' && PRIVATE_TOPICS.has(this.#name)) this.#showBatch(payload)
      else this.#show(event, payload)
    })
    // The server sends presence only to clients that listen to it.
    if (this.#name === topics.admin) channel.on('presence', { event: 'sync' }, () => this.#showPresence())
    channel.subscribe((status) => {
      if (this.#channel === channel) this.#onStatus(status)
    })
  }

  #show(event: string, payload: unknown): void {
    for (const listener of [...this.#listeners]) listener.pushes[event]?.(payload as never)
  }

  /** Shows many pushes of one kind. Members of some topics can broadcast too, so that the payload is checked. */
  #showBatch(payload: unknown): void {
    const { event, payloads } = (payload ?? {}) as { event?: unknown; payloads?: unknown }
    if (typeof event !== 'string' || !Array.isArray(payloads)) return
    for (const one of payloads) this.#show(event, one)
  }

  #onStatus(status: string): void {
    if (status === 'SUBSCRIBED') {
      this.#failures = 0
      this.#setState('joined')
      this.#isTracked = false
      this.#track()
    } else if (status === 'CLOSED') {
      this.#channel = undefined
      this.#failures += 1
      this.#timer = setTimeout(() => void this.#join(), reconnectDelayMs(this.#failures))
      this.#setState('down')
    } else {
      this.#setState('down')
    }
  }

  async #leave(): Promise<void> {
    const channel = this.#channel
    this.#channel = undefined
    if (channel) await this.#client.removeChannel(channel)
    if (this.#listeners.size === 0) this.#onEmpty()
    else await this.#join()
  }

  #setState(state: TopicState): void {
    this.#state = state
    for (const listener of [...this.#listeners]) listener.onState?.(state)
  }

  /** Publishes what this page is editing, or that it edits nothing any more. */
  #track(): void {
    if (!this.#channel || this.#state !== 'joined') return
    const own = [...this.#listeners].flatMap(({ presence }) => presence?.own ?? [])
    const [meta] = mergeEditing(own)
    if (meta) void this.#channel.track(meta)
    else if (this.#isTracked) void this.#channel.untrack()
    this.#isTracked = meta !== undefined
  }

  #showPresence(): void {
    if (!this.#channel || ![...this.#listeners].some(({ presence }) => presence)) return
    const all = editorsIn(this.#channel.presenceState())
    for (const { presence } of [...this.#listeners]) presence?.onChange(all)
  }
}
