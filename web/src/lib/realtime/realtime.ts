import type { Realtime, Subscription, TopicKind, TopicListener } from './realtime-client.ts'

/**
 * A realtime client that is loaded with the first subscription, so that pages without topics do not load it. `load`
 * returns the same client at each call.
 */
export function createLazyRealtime(load: () => Promise<Realtime>) {
  let loadedClient: Realtime | undefined
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
      void start()
      return {
        send: (event, payload) => subscription?.send(event, payload) ?? false,
        leave: () => {
          left = true
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
