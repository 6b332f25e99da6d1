import type { ChatMessage } from '@looptide/contracts/http/chat'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ChatLog } from './chat-log.ts'
import { authorName } from './chat-rows.ts'

/** Minimum interval of announcements, in ms, so that a busy chat does not drown out other speech. */
const EVERY_MS = 5_000

/** The text of a polite live region: new messages of others since the last announcement. */
export function useAnnouncements(log: ChatLog, ownId: string | undefined): string {
  const [text, setText] = useState('')
  const lastAnnounced = useRef<number | null>(null)
  const newestSeq = log.messages.at(-1)?.seq ?? log.syncedSeq

  const announce = useEffectEvent(() => {
    const announcedSeq = lastAnnounced.current
    if (announcedSeq === null) return
    const news = log.messages.filter(({ seq, userId }) => seq > announcedSeq && userId !== ownId)
    lastAnnounced.current = newestSeq
    if (news.length > 0) setText(announcement(news))
  })

  useEffect(() => {
    if (newestSeq === null) return
    // Messages that were there before are not announced.
    if (lastAnnounced.current === null) lastAnnounced.current = newestSeq
    if (newestSeq <= lastAnnounced.current) return
    const timer = setTimeout(() => announce(), EVERY_MS)
    return () => clearTimeout(timer)
  }, [newestSeq])
  return text
}

function announcement(news: readonly ChatMessage[]): string {
  const last = news.at(-1)
  if (last === undefined) return ''
  const text = `${authorName(last)}: ${last.message}`
  return news.length === 1 ? text : `${news.length} new messages. ${text}`
}
