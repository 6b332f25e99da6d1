import { useEffectEvent, useLayoutEffect } from 'react'

/** Actions of a page that keys trigger wherever the focus is. */
interface PageActions {
  /** An arrow key outside dialogs and fields; `isHeld` while it repeats. Returns false to move the focus as elsewhere. */
  arrow: (key: string, isHeld: boolean) => boolean
  guide: () => void
  channel: (step: 1 | -1) => void
  volume: (step: 1 | -1) => void
  mute: () => void
}

export type PageActionHandlers = Partial<PageActions>

const mounted: PageActionHandlers[] = []

/** The actions of the page mounted last. */
export const pageActions = (): PageActionHandlers | undefined => mounted.at(-1)

/** Registers the page's actions for remote-control keys while it is mounted and `isOn`. */
export function useRemoteActions(handlers: PageActionHandlers, isOn = true): void {
  const arrow = useEffectEvent((key: string, isHeld: boolean) => handlers.arrow?.(key, isHeld) ?? false)
  const guide = useEffectEvent(() => handlers.guide?.())
  const channel = useEffectEvent((step: 1 | -1) => handlers.channel?.(step))
  const volume = useEffectEvent((step: 1 | -1) => handlers.volume?.(step))
  const mute = useEffectEvent(() => handlers.mute?.())
  // Registered before the page is painted: a key pressed as soon as the page is visible works.
  useLayoutEffect(() => {
    if (!isOn) return
    const entry: PageActionHandlers = {
      arrow: (key, isHeld) => arrow(key, isHeld),
      guide: () => guide(),
      channel: (step) => channel(step),
      volume: (step) => volume(step),
      mute: () => mute(),
    }
    mounted.push(entry)
    return () => {
      mounted.splice(mounted.indexOf(entry), 1)
    }
  }, [isOn])
}
