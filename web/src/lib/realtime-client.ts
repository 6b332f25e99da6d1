import {
  type PollRequest,
  PUBLIC_API_KEY,
  type ServerPushes,
  topics as topicNames,
} from '@looptide/contracts/realtime'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { type Editing, editorsIn, mergeEditing } from './presence.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

export type TopicKind = keyof ServerPushes
/** The requests a client may send on a topic. The reply is a push of the same name to its socket only. */
export type ClientRequests = {
  stream: { clock: { sentAtMs: number }; poll: PollRequest }
}
/**
 * joining: a join is under way; joined: pushes arrive; down: connection or permission lost. The client rejoins by
 * itself. Pushes sent while it was down are lost: fetch them over HTTP on each `joined`.
 */
export type TopicState = 'joining' | 'joined' | 'down'

export type TopicHandlers<K extends TopicKind> = {
  [E in keyof ServerPushes[K]]?: (payload: ServerPushes[K][E]) => void
}
export type TopicListener<K extends TopicKind> = {
  pushes: TopicHandlers<K>
  onState?: (state: TopicState) => void
  /** On the admin topic: what this page is editing, shown to other admins. */
  presence?: { own: Editing; onChange: (all: readonly Editing[]) => void }
}
export type Subscription<K extends TopicKind> = {
  /** Sends a request if the topic is joined; returns whether it was sent. */
  send<E extends keyof (K extends keyof ClientRequests ? ClientRequests[K] : never)>(
    event: E,
    payload: (K extends keyof ClientRequests ? ClientRequests[K] : never)[E],
  ): boolean
  leave(): void
}

export type RealtimeOptions = {
  /** ws(s)://host/realtime/v1 */
  url: string
  accessToken: () => Promise<string | null>
}

export type Realtime = ReturnType<typeof createRealtimeClient>

/** docs/product/viewer.md §9. */
const HEARTBEAT_MS = 25_000
/** Delay before a topic without listeners is left, in ms: an effect that runs again keeps the membership. */
const LEAVE_DELAY_MS = 1_000

const ADMIN_TOPIC = topicNames.admin

type AnyListener = {
  pushes: Record<string, ((payload: never) => void) | undefined>
  onState?: ((state: TopicState) => void) | undefined
  presence?: TopicListener<'admin'>['presence']
}

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
    const topic = createSharedTopic(client, name, () => topics.delete(name))
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
    /** Reconnects without waiting for the next attempt: the network is back or the tab is visible again. */
    reconnectNow: (): void => {
      if (topics.size > 0) client.connect()
    },
  }
}

type SharedTopic = ReturnType<typeof createSharedTopic>

function createSharedTopic(client: RealtimeClient, name: string, onEmpty: () => void) {
  const isPrivate = name === ADMIN_TOPIC || name === 'moderation' || name.startsWith('user:')
  const listeners = new Set<AnyListener>()
  let state: TopicState = 'joining'
  let channel: RealtimeChannel | undefined
  let tries = 0
  let isTracked = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Publishes what this page is editing, or that it edits nothing any more. */
  const track = () => {
    if (!channel || state !== 'joined') return
    const own = [...listeners].flatMap(({ presence }) => presence?.own ?? [])
    const [meta] = mergeEditing(own)
    if (meta) void channel.track(meta)
    else if (isTracked) void channel.untrack()
    isTracked = meta !== undefined
  }
  const showPresence = () => {
    if (!channel || ![...listeners].some(({ presence }) => presence)) return
    const all = editorsIn(channel.presenceState())
    for (const { presence } of [...listeners]) presence?.onChange(all)
  }

  const setState = (next: TopicState) => {
    state = next
    for (const listener of [...listeners]) listener.onState?.(next)
  }

  const join = async () => {
    // A private topic is refused without a token, and the next attempt would follow only a second later.
    if (isPrivate) await client.setAuth()
    if (listeners.size === 0 || channel) return
    const joining = client.channel(name, { config: { private: isPrivate } })
    channel = joining
    joining.on('broadcast', { event: '*' }, ({ event, payload }: { event: string; payload?: unknown }) => {
      for (const listener of [...listeners]) listener.pushes[event]?.(payload as never)
    })
    // The server sends presence only to clients that listen to it.
    if (name === ADMIN_TOPIC) joining.on('presence', { event: 'sync' }, showPresence)
    joining.subscribe((status) => {
      if (channel !== joining) return
      if (status === 'SUBSCRIBED') {
        tries = 0
        setState('joined')
        isTracked = false
        track()
      } else if (status === 'CLOSED') {
        channel = undefined
        tries += 1
        timer = setTimeout(join, reconnectDelayMs(tries))
        setState('down')
      } else {
        setState('down')
      }
    })
  }

  const release = async () => {
    const leaving = channel
    channel = undefined
    if (leaving) await client.removeChannel(leaving)
    if (listeners.size === 0) onEmpty()
    else await join()
  }

  return {
    add(listener: AnyListener): () => void {
      listeners.add(listener)
      clearTimeout(timer)
      if (channel) listener.onState?.(state)
      else void join()
      if (listener.presence) {
        track()
        showPresence()
      }
      return () => {
        listeners.delete(listener)
        if (listener.presence) track()
        if (listeners.size > 0) return
        clearTimeout(timer)
        timer = setTimeout(release, LEAVE_DELAY_MS)
      }
    },
    send(event: string, payload: object): boolean {
      if (!channel || state !== 'joined') return false
      void channel.send({ type: 'broadcast', event, payload })
      return true
    },
  }
}
