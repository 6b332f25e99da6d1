import { useEffect, useEffectEvent, useRef } from 'react'
import { type SessionContext, useSession } from './session.tsx'

/** Calls back when the session ends while the component is mounted, by a sign-out or a revocation. */
export function useSessionEnd(onEnd: () => void): void {
  const { status } = useSession()
  const before = useRef<SessionContext['status']>(status)
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    if (before.current === 'signed-in' && status === 'signed-out') end()
    before.current = status
  }, [status])
}
