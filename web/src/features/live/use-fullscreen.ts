import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** iPhones let nothing but a `<video>` of their own player go fullscreen. */
const isPossible = (): boolean => document.fullscreenEnabled

/**
 * The whole document goes fullscreen, so that dialogs and messages are seen there as well. Where the browser has no
 * fullscreen, the picture at least fills the page.
 */
export function useFullscreen(onEnter: () => void): { isFullscreen: boolean; toggle: () => void } {
  const isReal = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
  const [isFilling, setFilling] = useState(false)
  const isFullscreen = isReal || isFilling
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
    // A refusal (no press of the viewer's own, say) leaves the page as it is.
    else document.documentElement.requestFullscreen().catch(() => undefined)
  }, [])
  return { isFullscreen, toggle }
}
