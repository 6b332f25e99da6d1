import type { Programme } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { classNames } from '../../ui/class-names.ts'
import { instantOfThen } from './instant-of-then.ts'
import { ReplayedChat } from './past-chat.tsx'

const STEP_MS = 1000
const KEY = 'looptide-chat-of-then'
const HIDDEN = 'hidden'
/** Windows in which the panel of the chat has no space for both chats. */
const SMALL = '(max-width: 40rem), (max-height: 30rem)'

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
        // The event also comes when it is first shown open.
        if (currentTarget.open === isOpen) return
        setOpen(currentTarget.open)
        remember(currentTarget.open)
      }}
      className={classNames(
        'max-h-1/2 shrink-0 overflow-y-auto border-b border-line bg-raised/40',
        isOpen && IN_PLACE_OF_NOW,
      )}
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

/** In a low panel, the chat of then takes the place of the chat of now while it is open. */
const IN_PLACE_OF_NOW =
  '[@container(max-height:26rem)]:max-h-none [@container(max-height:26rem)]:flex-1 [@container(max-height:26rem)]:[&+*]:hidden [@container(max-height:26rem)]:[&_[role=log]]:max-h-[calc(100cqh-11rem)] [@container(max-height:26rem)]:[&_[role=log]]:min-h-0'

/** Whether the viewer has left the chat of then open; at first it is, except in a small window. A browser may deny access to its storage. */
function isShown(): boolean {
  const isAtFirst = !window.matchMedia(SMALL).matches
  try {
    const stored = localStorage.getItem(KEY)
    return stored === null ? isAtFirst : stored !== HIDDEN
  } catch {
    return isAtFirst
  }
}

function remember(isOpen: boolean): void {
  try {
    localStorage.setItem(KEY, isOpen ? 'shown' : HIDDEN)
  } catch {
    return
  }
}
