import type { Realtime, Subscription, TopicKind, TopicListener } from './realtime-client.ts'

/** A realtime client that is loaded with the first subscription, so that pages without topics do not load it. */
export function createLazyRealtime(load: () => Promise<Realtime>) {
  let loading: Promise<Realtime> | undefined
  let loadedClient: Realtime | undefined
  const get = (): Promise<Realtime> => {
    loading ??= load().then(
      (client) => {
        loadedClient = client
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
        send: (event, payload) => subscription?.send(event, payload) ?? false,
        leave: () => {
          left = true
          subscription?.leave()
        },
      }
    },
    tokenChanged: (): void => loadedClient?.tokenChanged(),
    reconnectNow: (): void => loadedClient?.reconnectNow(),
  }
}
