import { useEffect, useState, useSyncExternalStore } from 'react'
import type { TopicState } from '../../lib/realtime-client.ts'
import { classNames } from '../../ui/class-names.ts'

/** A connection that is back by then was never missed. */
const PATIENCE_MS = 3_000

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** A quiet word while the station cannot be asked: the programmes in hand go on without it. */
export function ConnectionWord({ connection, hasStream }: { connection: TopicState; hasStream: boolean }) {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const isLost = useLasting(hasStream && (!isOnline || connection === 'down'))
  const text = isOnline
    ? 'No connection to the station. The programme goes on.'
    : 'You are offline. What is already here keeps playing.'
  return (
    <p
      role="status"
      className={classNames(
        'z-20 shrink-0 bg-panel px-4 text-center text-sm text-muted',
        'overlay:pointer-events-none overlay:absolute overlay:inset-x-0 overlay:top-20 overlay:mx-auto overlay:w-fit',
        'overlay:rounded-full overlay:bg-black/70',
        isLost && 'animate-fade py-1.5',
      )}
    >
      {isLost && text}
    </p>
  )
}

/** True once something has been so for a while; false at once when it is over. */
function useLasting(isSo: boolean): boolean {
  const [hasLasted, setLasted] = useState(false)
  useEffect(() => {
    if (!isSo) return
    const timer = setTimeout(() => setLasted(true), PATIENCE_MS)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [isSo])
  return isSo && hasLasted
}
