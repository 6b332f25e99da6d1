import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useBackLayer } from '../../ui/back-layers.ts'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** False on iPhones, which allow fullscreen only for a `<video>` element. */
const isPossible = (): boolean => document.fullscreenEnabled

/**
 * Makes the whole document fullscreen, so that dialogs and toasts are visible there. In a browser without fullscreen,
 * the picture fills the page instead.
 */
export function useFullscreen(onEnter: () => void): { isFullscreen: boolean; toggle: () => void } {
  const isReal = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
  const [isFilling, setFilling] = useState(false)
  const isFullscreen = isReal || isFilling
  useBackLayer(isFilling, () => setFilling(false))
  const entered = useEffectEvent(onEnter)
  useEffect(() => {
    if (isFullscreen) entered()
  }, [isFullscreen])
  useEffect(
    () => () => {
      if (document.fullscreenElement) void document.exitFullscreen()
    },
    [],
  )
  const toggle = useCallback(() => {
    if (document.fullscreenElement) void document.exitFullscreen()
    else if (!isPossible()) setFilling((isOn) => !isOn)
    // A refusal (e.g. without a user gesture) changes nothing.
    else document.documentElement.requestFullscreen().catch(() => undefined)
  }, [])
  return { isFullscreen, toggle }
}
