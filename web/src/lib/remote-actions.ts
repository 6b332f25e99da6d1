import { useEffect, useEffectEvent } from 'react'

/** What a page may do by a key of its own, without anything being focused. */
export type PageActions = {
  guide: () => void
  channel: (step: 1 | -1) => void
  volume: (step: 1 | -1) => void
  mute: () => void
}

export type PageActionHandlers = Partial<PageActions>

const mounted: PageActionHandlers[] = []

/** What the page that is shown does by keys; the one mounted last answers. */
export const pageActions = (): PageActionHandlers | undefined => mounted.at(-1)

/** Lets the page answer keys of a remote control while it is mounted. */
export function useRemoteActions(handlers: PageActionHandlers): void {
  const guide = useEffectEvent(() => handlers.guide?.())
  const channel = useEffectEvent((step: 1 | -1) => handlers.channel?.(step))
  const volume = useEffectEvent((step: 1 | -1) => handlers.volume?.(step))
  const mute = useEffectEvent(() => handlers.mute?.())
  useEffect(() => {
    const entry: PageActionHandlers = {
      guide: () => guide(),
      channel: (step) => channel(step),
      volume: (step) => volume(step),
      mute: () => mute(),
    }
    mounted.push(entry)
    return () => {
      mounted.splice(mounted.indexOf(entry), 1)
    }
  }, [])
}
