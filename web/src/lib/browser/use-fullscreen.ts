import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useBackLayer } from '../../ui/back-layers.ts'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/**
 * Makes the whole document fullscreen, so that dialogs and toasts are visible there. In a browser without fullscreen,
 * the picture fills the page instead. Ends when the component is removed, or `isPossible` becomes false.
 */
export function useFullscreen(
  onEnter: () => void,
  isPossible = true,
): { isFullscreen: boolean; toggle: () => void } {
  const isReal = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
  const [isFilling, setFilling] = useState(false)
  const isFullscreen = isPossible && (isReal || isFilling)
  useBackLayer(isPossible && isFilling, () => setFilling(false))
  const entered = useEffectEvent(onEnter)
  useEffect(() => {
    if (isFullscreen) entered()
  }, [isFullscreen])
  useEffect(() => {
    if (!isPossible) return
    return () => {
      setFilling(false)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [isPossible])
  const toggle = useCallback(() => {
    if (document.fullscreenElement) void document.exitFullscreen()
    // iPhones allow fullscreen only for a `<video>` element.
    else if (!document.fullscreenEnabled) setFilling((isOn) => !isOn)
    // A refusal (e.g. without a user gesture) changes nothing.
    else document.documentElement.requestFullscreen().catch(() => undefined)
  }, [])
  return { isFullscreen, toggle }
}
