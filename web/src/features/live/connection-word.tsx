import { useEffect, useState } from 'react'
import type { TopicState } from '../../lib/realtime-client.ts'
import { useIsOnline } from '../../lib/use-is-online.ts'
import { classNames } from '../../ui/class-names.ts'

/** A connection that is back by then was never missed. */
const PATIENCE_MS = 3_000

/** A quiet word while the station cannot be asked: the programmes in hand go on without it. */
export function ConnectionWord({ connection, hasStream }: { connection: TopicState; hasStream: boolean }) {
  const isOnline = useIsOnline()
  const isLost = useLasting(hasStream && (!isOnline || connection === 'down'))
  const text = isOnline
    ? 'Connection lost. The programme goes on.'
    : 'You are offline. What is already here keeps playing.'
  return (
    <p
      role="status"
      className={classNames(
        'pointer-events-none absolute inset-x-0 top-16 z-20 mx-auto w-fit rounded-full bg-black/75 text-center',
        'text-sm text-white/85 overlay:top-20 tv:text-base',
        isLost && 'animate-fade px-4 py-1.5',
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
