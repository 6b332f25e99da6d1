import { useEffect, useState } from 'react'
import type { TopicState } from '../../lib/realtime/shared-topic.ts'
import { Spinner } from '../../ui/spinner.tsx'

/** Shorter interruptions are not shown, in ms. */
const SHOWN_AFTER_MS = 3_000

/** A notice that new messages do not arrive, once the connection has been lost for a while. */
export function ConnectionNotice({ connection }: { connection: TopicState }) {
  const [isLong, setLong] = useState(false)
  const isDown = connection === 'down'
  useEffect(() => {
    if (!isDown) return setLong(false)
    const timer = setTimeout(() => setLong(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDown])
  if (!isDown || !isLong) return null
  return (
    <Spinner
      text="Connection lost. Missed messages will appear when you reconnect."
      className="shrink-0 border-b border-line bg-raised px-4 py-2 text-sm text-muted [&>span:first-child]:size-4"
    />
  )
}
