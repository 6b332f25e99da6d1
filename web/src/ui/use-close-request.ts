import { useEffect, useEffectEvent } from 'react'

/** HTML's "close watcher" (section "Close requests and close watchers"), as far as it is used here. */
type CloseWatcher = { onclose: (() => void) | null; destroy: () => void }

declare global {
  interface Window {
    /** Not in every browser. */
    CloseWatcher?: new () => CloseWatcher
  }
}

/**
 * Closes what is open by the device's own way to do so, where the browser tells of it: Android's Back, which would
 * leave the page otherwise.
 */
export function useCloseRequest(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    if (!isOpen || !window.CloseWatcher) return
    const watcher = new window.CloseWatcher()
    watcher.onclose = () => close()
    return () => watcher.destroy()
  }, [isOpen])
}
