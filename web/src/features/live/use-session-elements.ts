import { useEffect, useRef } from 'react'
import type { LiveSession } from './player/live-session.ts'
import { writeSessionAttributes } from './player/session-attributes.ts'

/**
 * Runs a session while its picture is mounted. `host` is the element for the players, `picture` the one around it, whose
 * attributes tell what is on.
 */
export function useSessionElements(session: LiveSession) {
  const picture = useRef<HTMLElement>(null)
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!picture.current || !host.current) return
    const stopWriting = writeSessionAttributes(picture.current, session)
    session.start(host.current)
    return () => {
      session.stop()
      stopWriting()
    }
  }, [session])
  return { picture, host }
}
