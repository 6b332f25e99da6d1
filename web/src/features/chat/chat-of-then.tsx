import type { Programme } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { instantOfThen } from './instant-of-then.ts'
import { ReplayedChat } from './past-chat.tsx'

const STEP_MS = 1000
const KEY = 'looptide-chat-of-then'
const HIDDEN = 'hidden'

/** The chat of a past evening while it is aired again, at the pace of the picture; nothing during other programmes. */
export function ChatOfThen({ programmes }: { programmes: readonly Programme[] }) {
  const then = instantOfThen(programmes, useServerNow(STEP_MS))
  const [isOpen, setOpen] = useState(isShown)
  if (then === undefined) return null
  const { channelId, startedAtMs, endedAtMs, atMs } = then
  const day = new Date(startedAtMs).toLocaleDateString(dateLocale, { dateStyle: 'long' })
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open)
        remember(currentTarget.open)
      }}
      className="max-h-1/2 shrink-0 overflow-y-auto border-b border-line bg-raised/40"
    >
      <summary className="min-h-11 cursor-pointer px-4 py-2.5 font-semibold">Chat of {day}</summary>
      {isOpen && (
        <ReplayedChat
          key={startedAtMs}
          {...{ channelId, atMs }}
          fromMs={startedAtMs}
          toMs={endedAtMs}
          label={`Chat of ${day}`}
        />
      )}
    </details>
  )
}

/** Whether the viewer has left the chat of then open. A browser may deny access to its storage. */
function isShown(): boolean {
  try {
    return localStorage.getItem(KEY) !== HIDDEN
  } catch {
    return true
  }
}

function remember(isOpen: boolean): void {
  try {
    if (isOpen) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, HIDDEN)
  } catch {
    return
  }
}
