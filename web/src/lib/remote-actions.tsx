import { createContext, use, useEffect, useEffectEvent } from 'react'

/** What a page may do by a key of its own, without anything being focused. */
export type PageActions = {
  guide: () => void
  channel: (step: 1 | -1) => void
}

export type PageActionHandlers = Partial<PageActions>

/** Pages put their handlers here; the one mounted last answers first. */
export const RemoteActions = createContext<PageActionHandlers[]>([])

/** Lets the page answer keys of a remote control while it is mounted. */
export function useRemoteActions(handlers: PageActionHandlers): void {
  const registry = use(RemoteActions)
  const guide = useEffectEvent(() => handlers.guide?.())
  const channel = useEffectEvent((step: 1 | -1) => handlers.channel?.(step))
  useEffect(() => {
    const entry: PageActionHandlers = { guide: () => guide(), channel: (step) => channel(step) }
    registry.push(entry)
    return () => {
      registry.splice(registry.indexOf(entry), 1)
    }
  }, [registry])
}
