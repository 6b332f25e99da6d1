import type { Realtime, Subscription, TopicKind, TopicListener } from './realtime-client.ts'

/**
 * The socket, fetched when the first topic is asked for: pages that need none do not pay for the client.
 */
export function createLazyRealtime(load: () => Promise<Realtime>) {
  let loading: Promise<Realtime> | undefined
  let loaded: Realtime | undefined
  const get = (): Promise<Realtime> => {
    loading ??= load().then(
      (client) => {
        loaded = client
        return client
      },
      (failure: unknown) => {
        loading = undefined
        throw failure
      },
    )
    return loading
  }

  return {
    /** Listens to a topic until `leave`; see `createRealtimeClient`. */
    subscribe<K extends TopicKind>(kind: K, name: string, listener: TopicListener<K>): Subscription<K> {
      let subscription: Subscription<K> | undefined
      let left = false
      get().then(
        (client) => {
          if (!left) subscription = client.subscribe(kind, name, listener)
        },
        () => listener.onState?.('down'),
      )
      return {
        ask: (event, payload) => subscription?.ask(event, payload) ?? false,
        leave: () => {
          left = true
          subscription?.leave()
        },
      }
    },
    tokenChanged: (): void => loaded?.tokenChanged(),
    reconnectNow: (): void => loaded?.reconnectNow(),
  }
}

export type LazyRealtime = ReturnType<typeof createLazyRealtime>
