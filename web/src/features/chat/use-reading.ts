import { useEffect, useState } from 'react'
import type { ChatLog } from './chat-log.ts'
import { markRead, readPosition } from './read-positions.ts'

/**
 * Tracks the read position of a channel's chat: the newest message while it is visible. `newFromSeq` is the read
 * position before the chat was opened or the tab was hidden, if there are new messages since; else null.
 */
export function useReading(channelId: string, log: ChatLog): { readSeq: number; newFromSeq: number | null } {
  const [leftAtSeq, setLeftAtSeq] = useState<number | null>(() => readPosition(channelId) ?? null)
  const [isLooking, setLooking] = useState(() => document.visibilityState === 'visible')
  // Deleted messages count as read.
  const seenSeq = log.syncedSeq === null ? null : Math.max(log.syncedSeq, log.messages.at(-1)?.seq ?? 0)
  const isReading = isLooking && log.isFollowing && log.syncedSeq !== null

  useEffect(() => {
    const onChange = () => {
      const isVisible = document.visibilityState === 'visible'
      setLooking(isVisible)
      if (!isVisible) setLeftAtSeq(readPosition(channelId) ?? null)
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [channelId])

  // Set once per return of the reader: messages that arrive later are read on arrival.
  const [newFrom, setNewFrom] = useState<{ leftAtSeq: number | null; newFromSeq: number | null }>()
  if (isReading && newFrom?.leftAtSeq !== leftAtSeq) {
    const hasNew = leftAtSeq !== null && (seenSeq ?? 0) > leftAtSeq
    setNewFrom({ leftAtSeq, newFromSeq: hasNew ? leftAtSeq : null })
  }

  useEffect(() => {
    if (isReading && seenSeq !== null) markRead(channelId, seenSeq)
  }, [channelId, isReading, seenSeq])

  return { readSeq: readPosition(channelId) ?? 0, newFromSeq: newFrom?.newFromSeq ?? null }
}
