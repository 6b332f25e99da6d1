import {
  type PollRequest,
  PUBLIC_API_KEY,
  type ServerPushes,
  topics as topicNames,
} from '@looptide/contracts/realtime'
import { type RealtimeChannel, RealtimeClient } from '@supabase/realtime-js'
import { type Editing, editorsIn, joinEditing } from './presence.ts'
import { reconnectDelayMs } from './reconnect-delay.ts'

export type TopicKind = keyof ServerPushes
/** What a client may ask on a topic; the answer comes to its socket alone, as a push of the same name. */
export type Asks = {
  stream: { clock: { sentAtMs: number }; poll: PollRequest }
}
/**
 * joining: on the way in; joined: pushes arrive; down: connection or permission lost. The client comes back by
 * itself from `down`, and what was pushed meanwhile is gone: fetch it on each `joined`.
 */
export type TopicState = 'joining' | 'joined' | 'down'

export type TopicHandlers<K extends TopicKind> = {
  [E in keyof ServerPushes[K]]?: (payload: ServerPushes[K][E]) => void
}
export type TopicListener<K extends TopicKind> = {
  pushes: TopicHandlers<K>
  onState?: (state: TopicState) => void
  /** On the topic of the admins: what this page is editing, to be seen by the other admins' pages. */
  presence?: { own: Editing; onChange: (all: readonly Editing[]) => void }
}
export type Subscription<K extends TopicKind> = {
  /** Sends a question if the topic is joined; says whether it did. */
  ask<E extends keyof (K extends keyof Asks ? Asks[K] : never)>(
    event: E,
    payload: (K extends keyof Asks ? Asks[K] : never)[E],
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
/** A page that is left and entered again, or an effect that runs anew, keeps its membership. */
const LINGER_MS = 1_000

const ADMIN_TOPIC = topicNames.admin

type AnyListener = {
  pushes: Record<string, ((payload: never) => void) | undefined>
  onState?: ((state: TopicState) => void) | undefined
  presence?: TopicListener<'admin'>['presence']
}

/**
 * The one door to the socket (docs/protocols/realtime.md). Subscribers of one topic share one membership, which lasts as
 * long as somebody listens and comes back after anything but a leave.
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
      return { ask: (event, payload) => topic.ask(String(event), payload as object), leave: remove }
    },
    /** Tells the server of another session or none, after a sign-in, refresh or sign-out. */
    tokenChanged: (): void => {
      void client.setAuth()
    },
    /** Does not wait for the next try: the network is back or the tab is looked at again. */
    reconnectNow: (): void => {
      if (topics.size > 0) client.connect()
    },
  }
}

type SharedTopic = ReturnType<typeof createSharedTopic>

function createSharedTopic(client: RealtimeClient, name: string, onGone: () => void) {
  const isPrivate = name === ADMIN_TOPIC || name === 'moderation' || name.startsWith('user:')
  const listeners = new Set<AnyListener>()
  let state: TopicState = 'joining'
  let channel: RealtimeChannel | undefined
  let tries = 0
  let isTracked = false
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Says what this page is editing, and that it is no longer editing anything. */
  const track = () => {
    if (!channel || state !== 'joined') return
    const own = [...listeners].flatMap(({ presence }) => presence?.own ?? [])
    const [meta] = joinEditing(own)
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
    // A private topic is refused without a token, and the client would come back only a second later.
    if (isPrivate) await client.setAuth()
    if (listeners.size === 0 || channel) return
    const joining = client.channel(name, { config: { private: isPrivate } })
    channel = joining
    joining.on('broadcast', { event: '*' }, ({ event, payload }: { event: string; payload?: unknown }) => {
      for (const listener of [...listeners]) listener.pushes[event]?.(payload as never)
    })
    // Listening to it makes the server send it: nobody else does.
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
    if (listeners.size === 0) onGone()
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
        timer = setTimeout(release, LINGER_MS)
      }
    },
    ask(event: string, payload: object): boolean {
      if (!channel || state !== 'joined') return false
      void channel.send({ type: 'broadcast', event, payload })
      return true
    },
  }
}
