import { useEffect } from 'react'
import { type CapacitorHost, nativePlugins } from '../../lib/browser/native-platform.ts'

/**
 * In a native app, locks the screen orientation to the current one and unlocks it on leaving (docs/product/viewer.md §2).
 * Does nothing in a browser.
 */
export function useOrientationLock(): void {
  useEffect(() => {
    const { ScreenOrientation } = nativePlugins(window as CapacitorHost)
    if (!ScreenOrientation) return
    const locked = ScreenOrientation.orientation()
      .then(({ type }) => ScreenOrientation.lock({ orientation: type }))
      // Fails on a device without rotation, where nothing needs locking.
      .catch(() => undefined)
    return () => {
      void locked.then(() => ScreenOrientation.unlock()).catch(() => undefined)
    }
  }, [])
}
