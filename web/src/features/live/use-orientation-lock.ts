import { useEffect } from 'react'
import { type CapacitorHost, nativePlugins } from '../../lib/native-platform.ts'

/**
 * In a native app the screen stays as it is held now, and turns freely again on leaving (docs/product/viewer.md §2).
 * Browsers are left alone.
 */
export function useOrientationLock(): void {
  useEffect(() => {
    const { ScreenOrientation } = nativePlugins(window as CapacitorHost)
    if (!ScreenOrientation) return
    const locked = ScreenOrientation.orientation()
      .then(({ type }) => ScreenOrientation.lock({ orientation: type }))
      // A device that does not turn has nothing to lock.
      .catch(() => undefined)
    return () => {
      void locked.then(() => ScreenOrientation.unlock()).catch(() => undefined)
    }
  }, [])
}
