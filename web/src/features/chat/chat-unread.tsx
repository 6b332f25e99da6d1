import { topics } from '@looptide/contracts/realtime'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { markRead, onReadPosition, readPosition } from './read-positions.ts'
import {
  NOTHING_RECEIVED,
  type Received,
  receivedRemoval,
  receivedUpTo,
  unreadCount,
} from './unread-count.ts'

const SHOWN_AT_MOST = 99

/**
 * The unread badge of the chat button, with a text of the id `id` that describes the button. Renders nothing while the
 * chat is open or nothing is unread.
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

/** The number of unread messages. Counting starts with the first `seq` received, so a new viewer has none. */
function useUnread(channelId: string): number {
  const [state, setState] = useState<{ channelId: string; received: Received }>({
    channelId,
    received: NOTHING_RECEIVED,
  })
  const received = state.channelId === channelId ? state.received : NOTHING_RECEIVED
  const readSeq = useSyncExternalStore(onReadPosition, () => readPosition(channelId))
  const update = (step: (received: Received) => Received) =>
    setState((now) => ({
      channelId,
      received: step(now.channelId === channelId ? now.received : NOTHING_RECEIVED),
    }))

  useTopic(
    'chat',
    topics.chat(channelId),
    {
      // Sent at each join.
      snapshot: ({ lastSeq }) => {
        if (lastSeq !== null) update((now) => receivedUpTo(now, lastSeq))
      },
      message: ({ message }) => {
        if (readPosition(channelId) === undefined) markRead(channelId, message.seq - 1)
        update((now) => receivedUpTo(now, message.seq))
      },
      message_removed: ({ seq }) => update((now) => receivedRemoval(now, seq)),
    },
    null,
  )
  useEffect(() => {
    if (readSeq === undefined && received.newestSeq !== null) markRead(channelId, received.newestSeq)
  }, [channelId, readSeq, received.newestSeq])

  return unreadCount(received, readSeq)
}
