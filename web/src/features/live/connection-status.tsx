import { useEffect, useState } from 'react'
import { useIsOnline } from '../../lib/browser/use-is-online.ts'
import type { TopicState } from '../../lib/realtime/shared-topic.ts'
import { classNames } from '../../ui/class-names.ts'

/** Shorter interruptions are not shown, in ms. */
const SHOW_AFTER_MS = 3_000

/** A message while the connection is lost. Playback continues with the programmes that are already loaded. */
export function ConnectionStatus({ connection, hasStream }: { connection: TopicState; hasStream: boolean }) {
  const isOnline = useIsOnline()
  const isLost = useHasLasted(hasStream && (!isOnline || connection === 'down'))
  const text = isOnline
    ? 'Connection lost. Playback continues.'
    : 'You are offline. Loaded videos keep playing.'
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

/** True once a condition has held for 3 s; false as soon as it ends. */
function useHasLasted(condition: boolean): boolean {
  const [hasLasted, setLasted] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setLasted(true), SHOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [condition])
  return condition && hasLasted
}
