import { useEffect, useState } from 'react'
import type { TopicState } from '../../lib/realtime-client.ts'
import { Spinner } from '../../ui/spinner.tsx'

/** A short break is over before it is worth a word. */
const SHOWN_AFTER_MS = 3_000

/** Says that new messages do not arrive just now, once that has lasted. */
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
