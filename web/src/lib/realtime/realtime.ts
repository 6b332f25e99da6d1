import type { Realtime, Subscription, TopicKind, TopicListener } from './realtime-client.ts'

/** The topics that the first view shows. Others are joined after it, or together with one of these. */
const URGENT: ReadonlySet<TopicKind> = new Set(['stream', 'chat'])

/**
 * A realtime client that is loaded with the first subscription, so that pages without topics do not load it. `load`
 * returns the same client at each call. Subscriptions that are not urgent start when `whenIdle` calls back.
 */
export function createLazyRealtime(load: () => Promise<Realtime>, whenIdle: (callback: () => void) => void) {
  let loadedClient: Realtime | undefined
  /** Subscriptions that start when the first view is shown; undefined from then on. */
  let deferred: Set<() => void> | undefined = new Set()
  const startDeferred = () => {
    const starts = deferred
    deferred = undefined
    for (const start of starts ?? []) start()
  }
  whenIdle(startDeferred)
  /** Start the subscriptions for which the client could not be loaded. */
  const waiting = new Set<() => void>()

  return {
    /** Listens to a topic until `leave`; see `createRealtimeClient`. */
    subscribe<K extends TopicKind>(kind: K, name: string, listener: TopicListener<K>): Subscription<K> {
      let subscription: Subscription<K> | undefined
      let left = false
      const start = async (): Promise<void> => {
        waiting.delete(retry)
        try {
          loadedClient = await load()
        } catch {
          if (left) return
          waiting.add(retry)
          listener.onState?.('down')
          return
        }
        if (!left) subscription = loadedClient.subscribe(kind, name, listener)
      }
      const retry = () => void start()
      if (URGENT.has(kind)) startDeferred()
      if (deferred) deferred.add(retry)
      else retry()
      return {
        send: (event, payload) => subscription?.send(event, payload) ?? false,
        leave: () => {
          left = true
          deferred?.delete(retry)
          waiting.delete(retry)
          subscription?.leave()
        },
      }
    },
    tokenChanged: (): void => loadedClient?.tokenChanged(),
    reconnectNow: (): void => {
      for (const retry of [...waiting]) retry()
      void loadedClient?.reconnectNow()
    },
    disconnect: (): void => void loadedClient?.disconnect(),
  }
}
