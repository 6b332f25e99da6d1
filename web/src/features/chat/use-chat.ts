import { CHAT_PAGE, type ChatMessage } from '@looptide/contracts/http/chat'
import { topics } from '@looptide/contracts/realtime'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTopic } from '../../lib/use-topic.ts'
import { fetchMessages } from './api.ts'
import { type ChatLog, EMPTY_LOG, hasGap, withMessage, withoutMessage, withPage } from './merge-messages.ts'

/** Pages that one catch-up may take; whoever was away longer starts from the newest page. */
const CATCH_UP_PAGES = 4
const RETRY_MS = 5_000

export type Chat = {
  messages: readonly ChatMessage[]
  isLoading: boolean
  hasFailed: boolean
  reload: () => void
  /** Shows the answer to one's own message without waiting for the socket. */
  add: (message: ChatMessage) => void
}

/**
 * A channel's chat: a page over HTTP, then messages by the socket. After each join it fetches what it missed, so
 * that nothing is lost and nothing comes twice. Mount it anew (by `key`) for another channel.
 */
export function useChat(channelId: string): Chat {
  const [log, setLog] = useState(EMPTY_LOG)
  const [hasFailed, setFailed] = useState(false)
  const known = useRef<ChatLog>(EMPTY_LOG)
  const fetching = useRef({ isOn: false, isWantedAgain: false })

  const apply = useCallback((step: (log: ChatLog) => ChatLog) => {
    known.current = step(known.current)
    setLog(known.current)
  }, [])

  const catchUp = useCallback(async () => {
    const state = fetching.current
    state.isWantedAgain = state.isOn
    if (state.isOn) return
    state.isOn = true
    try {
      do {
        state.isWantedAgain = false
        await fetchMissing(channelId, known.current.syncedSeq, apply)
      } while (state.isWantedAgain)
      setFailed(false)
    } catch {
      setFailed(true)
    } finally {
      state.isOn = false
    }
  }, [channelId, apply])

  useTopic(
    'chat',
    topics.chat(channelId),
    {
      message: ({ message }) => {
        apply((now) => withMessage(now, message))
        if (hasGap(known.current)) void catchUp()
      },
      message_removed: ({ messageId }) => apply((now) => withoutMessage(now, messageId)),
    },
    () => void catchUp(),
  )

  useEffect(() => void catchUp(), [catchUp])
  useEffect(() => {
    if (!hasFailed) return
    const timer = setInterval(() => void catchUp(), RETRY_MS)
    return () => clearInterval(timer)
  }, [hasFailed, catchUp])

  return {
    messages: log.messages,
    isLoading: log.syncedSeq === null && !hasFailed,
    hasFailed: log.syncedSeq === null && hasFailed,
    reload: () => void catchUp(),
    add: (message) => apply((now) => withMessage(now, message)),
  }
}

async function fetchMissing(
  channelId: string,
  syncedSeq: number | null,
  apply: (step: (log: ChatLog) => ChatLog) => void,
): Promise<void> {
  let after = syncedSeq
  for (let pages = 0; pages < CATCH_UP_PAGES; pages += 1) {
    const page = await fetchMessages(channelId, after)
    const isComplete = after === null || page.items.length < CHAT_PAGE
    apply((log) => withPage(log, page, isComplete))
    if (isComplete) return
    after = page.items.at(-1)?.seq ?? page.lastSeq
  }
  const newest = await fetchMessages(channelId, null)
  apply((log) => withPage(log, newest, true))
}
