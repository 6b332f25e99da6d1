import { useEffect, useState } from 'react'
import type { ChatLog } from './chat-log.ts'
import { markRead, readMark } from './read-marks.ts'

/**
 * How far a channel's chat has been read: to the newest message while one looks at it. `newFromSeq` is where one had
 * stopped before coming here, or before looking away, when something new was said meanwhile; else null.
 */
export function useReading(channelId: string, log: ChatLog): { readSeq: number; newFromSeq: number | null } {
  const [leftAtSeq, setLeftAtSeq] = useState<number | null>(() => readMark(channelId) ?? null)
  const [isLooking, setLooking] = useState(() => document.visibilityState === 'visible')
  // Numbers of messages that were taken down are read as well: there is nothing to see.
  const seenSeq = log.syncedSeq === null ? null : Math.max(log.syncedSeq, log.messages.at(-1)?.seq ?? 0)
  const isReading = isLooking && log.isFollowing && log.syncedSeq !== null

  useEffect(() => {
    const onChange = () => {
      const isVisible = document.visibilityState === 'visible'
      setLooking(isVisible)
      if (!isVisible) setLeftAtSeq(readMark(channelId) ?? null)
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [channelId])

  // The first look after an absence tells whether there was something new; what comes later is read as it comes.
  const [toldFrom, setToldFrom] = useState<{ leftAtSeq: number | null; newFromSeq: number | null }>()
  if (isReading && toldFrom?.leftAtSeq !== leftAtSeq) {
    const hasNew = leftAtSeq !== null && (seenSeq ?? 0) > leftAtSeq
    setToldFrom({ leftAtSeq, newFromSeq: hasNew ? leftAtSeq : null })
  }

  useEffect(() => {
    if (isReading && seenSeq !== null) markRead(channelId, seenSeq)
  }, [channelId, isReading, seenSeq])

  return { readSeq: readMark(channelId) ?? 0, newFromSeq: toldFrom?.newFromSeq ?? null }
}
