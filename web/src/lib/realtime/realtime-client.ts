import {
  type MemberMessages,
  type PollRequest,
  PUBLIC_API_KEY,
  type ReactRequest,
  type ServerPushes,
} from '@looptide/contracts/realtime'
import { RealtimeClient } from '@supabase/realtime-js'
import type { Editing } from './presence.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'
import { type AnyListener, SharedTopic, type TopicState } from './shared-topic.ts'

export type TopicKind = keyof ServerPushes
/**
 * What a client may send on a topic: on streams requests, of which `clock` and `poll` are answered by a push of the same
 * name to its socket only; on its user's topic messages to other members.
 */
interface ClientRequests {
  user: MemberMessages['user']
  stream: { clock: { sentAtMs: number }; poll: PollRequest; react: ReactRequest }
}
export type TopicHandlers<K extends TopicKind> = {
  [E in keyof ServerPushes[K]]?: (payload: ServerPushes[K][E]) => void
} & { [E in K extends keyof MemberMessages ? keyof MemberMessages[K] : never]?: (payload: unknown) => void }
export interface TopicListener<K extends TopicKind> {
  pushes: TopicHandlers<K>
  onState?: (state: TopicState) => void
  /** On the admin topic: what this page is editing, shown to other admins. */
  presence?: { own: Editing; onChange: (all: readonly Editing[]) => void }
}
export interface Subscription<K extends TopicKind> {
  /** Sends a request if the topic is joined; returns whether it was sent. */
  send<E extends keyof (K extends keyof ClientRequests ? ClientRequests[K] : never)>(
    event: E,
    payload: (K extends keyof ClientRequests ? ClientRequests[K] : never)[E],
  ): boolean
  leave(): void
}

export interface RealtimeOptions {
  /** ws(s)://host/realtime/v1 */
  url: string
  accessToken: () => Promise<string | null>
}

export type Realtime = ReturnType<typeof createRealtimeClient>

/** docs/product/viewer.md §9. */
const HEARTBEAT_MS = 25_000
/**
 * Creates the client of the realtime socket. Subscribers of one topic share one membership. It lasts while there are
 * listeners, and the client rejoins after any interruption.
 */
export function createRealtimeClient({ url, accessToken }: RealtimeOptions) {
  const client = new RealtimeClient(url, {
    params: { apikey: PUBLIC_API_KEY },
    heartbeatIntervalMs: HEARTBEAT_MS,
    reconnectAfterMs: (tries) => reconnectDelayMs(tries),
    accessToken,
  })
  const topics = new Map<string, SharedTopic>()

  const topicOf = (name: string): SharedTopic => {
    const known = topics.get(name)
    if (known) return known
    const topic = new SharedTopic(client, name, () => topics.delete(name))
    topics.set(name, topic)
    return topic
  }

  return {
    /** Listens to a topic (see `topics` of the contracts) until `leave`. */
    subscribe<K extends TopicKind>(_kind: K, name: string, listener: TopicListener<K>): Subscription<K> {
      const topic = topicOf(name)
      const remove = topic.add(listener as unknown as AnyListener)
      return { send: (event, payload) => topic.send(String(event), payload as object), leave: remove }
    },
    /** Sends the current token to the server after a sign-in, refresh or sign-out. */
    tokenChanged: (): void => {
      void client.setAuth()
    },
    /**
     * Reconnects without waiting for the next attempt: the network is back or the tab is visible again. Disconnecting
     * first ends the library's wait, during which it ignores `connect`.
     */
    reconnectNow: async (): Promise<void> => {
      if (topics.size === 0 || client.isConnected()) return
      await client.disconnect()
      client.connect()
    },
    /** Closes the socket until `reconnectNow`: the network is gone, which an idle socket would notice much later. */
    disconnect: async (): Promise<void> => void (await client.disconnect()),
  }
}
