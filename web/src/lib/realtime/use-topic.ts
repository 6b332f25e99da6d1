import { useEffect, useEffectEvent, useState } from 'react'
import { realtime } from '../clients.ts'
import type { TopicHandlers, TopicKind } from './realtime-client.ts'
import type { TopicState } from './shared-topic.ts'

/**
 * Subscribes to a topic while mounted; null subscribes to nothing. Handlers may change on every render.
 * `onJoined` runs after each join and rejoin: fetch over HTTP there what was pushed before. Null if nothing can be missed.
 */
export function useTopic<K extends TopicKind>(
  kind: K,
  name: string | null,
  handlers: TopicHandlers<K>,
  onJoined: (() => void) | null,
): TopicState {
  const [state, setState] = useState<TopicState>('joining')
  const push = useEffectEvent((event: keyof TopicHandlers<K>, payload: never) => {
    const handler = handlers[event] as ((payload: never) => void) | undefined
    handler?.(payload)
  })
  const joined = useEffectEvent(() => onJoined?.())
  const events = Object.keys(handlers).join(' ')

  useEffect(() => {
    if (name === null) return
    const pushes: Record<string, (payload: never) => void> = {}
    for (const event of events.split(' ')) {
      pushes[event] = (payload) => push(event as keyof TopicHandlers<K>, payload)
    }
    const subscription = realtime.subscribe(kind, name, {
      pushes: pushes as TopicHandlers<K>,
      onState: (next) => {
        setState(next)
        if (next === 'joined') joined()
      },
    })
    return () => {
      subscription.leave()
      setState('joining')
    }
  }, [kind, name, events])

  return state
}
