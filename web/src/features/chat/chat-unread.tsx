import { topics } from '@looptide/contracts/realtime'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTopic } from '../../lib/use-topic.ts'
import { markRead, onReadMark, readMark } from './read-marks.ts'
import { type Heard, heardRemoval, heardUpTo, NOTHING_HEARD, unreadCount } from './unread-count.ts'

const SHOWN_AT_MOST = 99

/**
 * How many messages have come since the chat was last looked at, for the button that opens it: a badge, and the same
 * in words under `id` to describe the button by. Nothing while the chat is open, or nothing has come.
 */
export function ChatUnread({ channelId, isOpen, id }: { channelId: string; isOpen: boolean; id: string }) {
  const count = useUnread(channelId)
  if (isOpen || count === 0) return null
  const shown = count > SHOWN_AT_MOST ? `${SHOWN_AT_MOST}+` : String(count)
  return (
    <>
      <span
        aria-hidden="true"
        className="absolute -top-0.5 -right-0.5 min-w-5 animate-fade rounded-full bg-live px-1 text-center text-xs leading-5 font-bold text-on-live tabular-nums"
      >
        {shown}
      </span>
      <span id={id} className="sr-only">
        {count === 1 ? '1 new message' : `${shown} new messages`}
      </span>
    </>
  )
}

/** Whoever has just come has missed nothing: counting begins with the first number that is heard of. */
function useUnread(channelId: string): number {
  const [state, setState] = useState<{ channelId: string; heard: Heard }>({ channelId, heard: NOTHING_HEARD })
  const heard = state.channelId === channelId ? state.heard : NOTHING_HEARD
  const mark = useSyncExternalStore(onReadMark, () => readMark(channelId))
  const hear = (step: (heard: Heard) => Heard) =>
    setState((now) => ({
      channelId,
      heard: step(now.channelId === channelId ? now.heard : NOTHING_HEARD),
    }))

  useTopic('chat', topics.chat(channelId), {
    snapshot: ({ lastSeq }) => {
      if (lastSeq !== null) hear((now) => heardUpTo(now, lastSeq))
    },
    message: ({ message }) => {
      if (readMark(channelId) === undefined) markRead(channelId, message.seq - 1)
      hear((now) => heardUpTo(now, message.seq))
    },
    message_removed: ({ seq }) => hear((now) => heardRemoval(now, seq)),
  })
  useEffect(() => {
    if (mark === undefined && heard.newestSeq !== null) markRead(channelId, heard.newestSeq)
  }, [channelId, mark, heard.newestSeq])

  return unreadCount(heard, mark)
}
