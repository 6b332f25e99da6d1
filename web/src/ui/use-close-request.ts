import { useEffect, useEffectEvent } from 'react'

/** The used part of HTML's `CloseWatcher` (HTML Standard, "Close requests and close watchers"). */
interface CloseWatcher {
  onclose: (() => void) | null
  destroy: () => void
}

declare global {
  interface Window {
    /** Not in every browser. */
    CloseWatcher?: new () => CloseWatcher
  }
}

/** Closes a dialog on the platform's close request, such as Android's back button, which would leave the page otherwise. */
export function useCloseRequest(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen || !window.CloseWatcher) return
    const watcher = new window.CloseWatcher()
    watcher.onclose = () => close()
    return () => watcher.destroy()
  }, [isOpen])
}
