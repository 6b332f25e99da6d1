import type { ChatMessage } from '@looptide/contracts/http/chat'
import { topics } from '@looptide/contracts/realtime'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { TopicState } from '../../lib/realtime/shared-topic.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { fetchMessages } from './api.ts'
import {
  type ChatLog,
  cutOff,
  EMPTY_LOG,
  followed,
  isBehind,
  readingBack,
  startedWith,
  withMessage,
  withNewer,
  withOlder,
  withoutMessage,
  withRestored,
} from './chat-log.ts'

/** Maximum number of pages per catch-up; after a longer absence the log restarts from the newest page. */
const CATCH_UP_PAGES = 4
const RETRY_MS = 5_000

export interface Chat {
  log: ChatLog
  /** Minimum time between two messages of a viewer, in seconds; 0 is off. */
  slowModeS: number
  connection: TopicState
  isLoading: boolean
  /** Loading failed and there is nothing to show. */
  hasFailed: boolean
  reload: () => void
  /** Shows the user's own message without waiting for the socket. */
  add: (message: ChatMessage) => void
  /** Hides a message that has just been deleted. */
  remove: (messageId: string) => void
  setSlowMode: (slowModeS: number) => void
  /** Sets whether the newest messages are shown. */
  setFollowing: (isFollowing: boolean) => void
  older: { state: 'idle' | 'loading' | 'failed'; load: () => void }
}

/**
 * A channel's chat: a page over HTTP, then messages from the socket. After each join it fetches missed messages, so
 * that none is lost or shown twice. Remount it (by `key`) for another channel.
 */
export function useChat(channelId: string): Chat {
  const [log, setLog] = useState(EMPTY_LOG)
  const [slowModeS, setSlowMode] = useState(0)
  const known = useRef<ChatLog>(EMPTY_LOG)
  const apply = useCallback((step: (log: ChatLog) => ChatLog) => {
    known.current = step(known.current)
    setLog(known.current)
  }, [])

  const { catchUp, hasFailed } = useCatchUp(channelId, known, apply, setSlowMode)
  const older = useOlder(channelId, known, apply)

  const connection = useTopic(
    'chat',
    topics.chat(channelId),
    {
      message: ({ message }) => {
        apply((now) => withMessage(now, message))
        if (isBehind(known.current)) catchUp()
      },
      message_removed: ({ messageId }) => apply((now) => withoutMessage(now, messageId)),
      message_restored: ({ message }) => apply((now) => withRestored(now, message)),
      settings: (settings) => setSlowMode(settings.slowModeS),
    },
    catchUp,
  )

  const setFollowing = useCallback(
    (isFollowing: boolean) => {
      if (known.current.isFollowing === isFollowing) return
      apply(isFollowing ? followed : readingBack)
      if (isFollowing && isBehind(known.current)) catchUp()
    },
    [apply, catchUp],
  )

  const isEmpty = log.syncedSeq === null
  return {
    log,
    slowModeS,
    connection,
    isLoading: isEmpty && !hasFailed,
    hasFailed: isEmpty && hasFailed,
    reload: catchUp,
    add: useCallback(
      (message) => {
        apply((now) => withMessage(followed(now), message))
        if (isBehind(known.current)) catchUp()
      },
      [apply, catchUp],
    ),
    remove: useCallback((messageId) => apply((now) => withoutMessage(now, messageId)), [apply]),
    setSlowMode,
    setFollowing,
    older,
  }
}

/** Fetches missing messages at once, whenever `catchUp` is called, and every 5 s after a failure. */
function useCatchUp(
  channelId: string,
  known: { readonly current: ChatLog },
  apply: Apply,
  onSlowMode: (seconds: number) => void,
) {
  const catchUpOnce = useCallback(async () => {
    onSlowMode(await fetchMissing(channelId, () => known.current, apply))
  }, [channelId, known, apply, onSlowMode])
  const { run: catchUp, hasFailed } = useOneAtATime(catchUpOnce)
  useEffect(() => catchUp(), [catchUp])
  useEffect(() => {
    if (!hasFailed) return
    const timer = setInterval(catchUp, RETRY_MS)
    return () => clearInterval(timer)
  }, [hasFailed, catchUp])
  return { catchUp, hasFailed }
}

/** Runs `work`, and once more if it was requested again meanwhile. */
function useOneAtATime(work: () => Promise<void>): { run: () => void; hasFailed: boolean } {
  const [hasFailed, setFailed] = useState(false)
  const state = useRef({ isRunning: false, isQueued: false })
  const run = useCallback(async () => {
    const { current } = state
    current.isQueued = current.isRunning
    if (current.isRunning) return
    current.isRunning = true
    try {
      do {
        current.isQueued = false
        await work()
      } while (current.isQueued)
      setFailed(false)
    } catch {
      setFailed(true)
    } finally {
      current.isRunning = false
    }
  }, [work])
  return { run: useCallback(() => void run(), [run]), hasFailed }
}

type Apply = (step: (log: ChatLog) => ChatLog) => void

/** Loads the page before the first loaded message, one request at a time. */
function useOlder(channelId: string, known: { readonly current: ChatLog }, apply: Apply): Chat['older'] {
  const [state, setState] = useState<Chat['older']['state']>('idle')
  const isRunning = useRef(false)
  const load = useCallback(async () => {
    const before = known.current.messages[0]?.seq
    if (isRunning.current || before === undefined || !known.current.hasOlder) return
    isRunning.current = true
    setState('loading')
    try {
      const page = await fetchMessages(channelId, { before })
      apply((now) => withOlder(now, page, before))
      setState('idle')
    } catch {
      setState('failed')
    } finally {
      isRunning.current = false
    }
  }, [channelId, known, apply])
  return { state, load: useCallback(() => void load(), [load]) }
}

/** Fetches missing messages page by page, or restarts with the newest page if too many are missing. Returns the slow mode. */
async function fetchMissing(channelId: string, known: () => ChatLog, apply: Apply): Promise<number> {
  for (let pages = 0; pages < CATCH_UP_PAGES; pages += 1) {
    const { syncedSeq } = known()
    if (syncedSeq === null) break
    const page = await fetchMessages(channelId, { after: syncedSeq })
    apply((log) => withNewer(log, page))
    if (!isBehind(known())) return page.slowModeS
  }
  const newest = await fetchMessages(channelId)
  // While reading back, the visible messages stay; the newest are fetched on return.
  if (known().syncedSeq !== null && !known().isFollowing) apply(cutOff)
  else apply((log) => startedWith(log, newest))
  return newest.slowModeS
}
