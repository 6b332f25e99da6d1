import { useCallback, useEffect, useEffectEvent, useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}

/** The whole document goes fullscreen, so that dialogs and messages are seen there as well. */
export function useFullscreen(onEnter: () => void): { isFullscreen: boolean; toggle: () => void } {
  const isFullscreen = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)
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
    // A browser that refuses (an embedded page, a phone that cannot) leaves the page as it is.
    else document.documentElement.requestFullscreen?.().catch(() => undefined)
  }, [])
  return { isFullscreen, toggle }
}
