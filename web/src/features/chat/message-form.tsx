import type { ChatMessage } from '@looptide/contracts/http/chat'
import {
  type KeyboardEvent,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { randomId } from '../../lib/random-id.ts'
import { localNowMs } from '../../lib/server-clock.ts'
import { useSession } from '../../lib/session.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { toast } from '../../ui/toast.ts'
import { postMessage } from './api.ts'
import {
  countdownText,
  durationText,
  isRefused,
  retryAfterMs,
  roomLeft,
  sendFailureText,
} from './composer-rules.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { useCountdown } from './use-countdown.ts'

type MessageFormProps = {
  channelId: string
  userId: string
  slowModeS: number
  /** Until when slow mode had one wait when it was last asked (local clock, ms). */
  waitUntilMs: number
  onSent: (message: ChatMessage) => void
  /** Whether one may write, and from when on, should be asked again. */
  onStale: () => void
  onFocusChange: (isFocused: boolean) => void
}

/** Enter sends, Shift+Enter makes a new line; closed while a message is under way. What failed is kept. */
export function MessageForm(props: MessageFormProps) {
  const { text, setText, isSending, waitS, send, field } = useMessageForm(props)
  const room = roomLeft(text)
  const hintId = useId()
  const mayNotSend = isSending || waitS > 0 || text.trim() === '' || room.left < 0

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (!mayNotSend) void send()
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!mayNotSend) void send()
  }

  return (
    <form onSubmit={onSubmit} className="grid gap-1.5">
      <Hint id={hintId} slowModeS={props.slowModeS} waitS={waitS} room={room} />
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={1}
          // The arrow keys of a remote control look for this.
          tabIndex={0}
          aria-label="Message"
          aria-describedby={hintId}
          aria-invalid={room.left < 0 ? true : undefined}
          placeholder="Say something"
          enterKeyHint="send"
          autoComplete="off"
          dir="auto"
          value={text}
          // Closed without losing the focus, and with it a phone's keyboard.
          aria-disabled={isSending}
          readOnly={isSending}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={() => props.onFocusChange(true)}
          onBlur={() => props.onFocusChange(false)}
          className={classNames(
            'field',
            'field-sizing-content max-h-32 resize-none aria-disabled:opacity-55',
          )}
        />
        <IconButton
          type="submit"
          icon="send"
          label="Send"
          tone="primary"
          className="shrink-0"
          disabled={mayNotSend}
          // The focus, and with it a phone's keyboard, stays in the field.
          onPointerDown={(event) => event.preventDefault()}
        />
      </div>
    </form>
  )
}

function useMessageForm({ channelId, userId, slowModeS, waitUntilMs, ...props }: MessageFormProps) {
  const { isModerator } = useSession()
  const [text, setKnownText] = useState(() => draftOf(channelId, userId))
  const [isSending, setSending] = useState(false)
  const [toldUntilMs, setToldUntilMs] = useState(0)
  // One id per text: a second try after a lost answer is the same message, and shown once.
  const draft = useRef<{ text: string; clientId: string } | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const waitS = useCountdown(isModerator ? toldUntilMs : Math.max(toldUntilMs, waitUntilMs))

  // A change of slow mode changes the wait: what was told before is void, and the server is asked.
  const knownSlowModeS = useRef(slowModeS)
  const onSlowMode = useEffectEvent((seconds: number) => {
    if (seconds === knownSlowModeS.current) return
    knownSlowModeS.current = seconds
    setToldUntilMs(0)
    props.onStale()
  })
  useEffect(() => onSlowMode(slowModeS), [slowModeS])

  const setText = (next: string) => {
    keepDraft(channelId, userId, next)
    setKnownText(next)
  }
  const send = async () => {
    const message = text.trim()
    if (draft.current?.text !== message) draft.current = { text: message, clientId: randomId() }
    setSending(true)
    try {
      props.onSent(await postMessage(channelId, { clientId: draft.current.clientId, message }))
      draft.current = null
      setText('')
      if (!isModerator) setToldUntilMs(localNowMs() + slowModeS * 1000)
    } catch (failure) {
      const waitMs = retryAfterMs(failure)
      if (waitMs !== undefined) setToldUntilMs(localNowMs() + waitMs)
      else {
        toast({ title: 'Error', description: sendFailureText(failure), tone: 'error' })
        if (isRefused(failure)) props.onStale()
      }
    } finally {
      setSending(false)
      if (document.activeElement === document.body) field.current?.focus()
    }
  }
  return { text, setText, isSending, waitS, send, field }
}

/** Above the field: the pace of this chat, how long one still has to wait, and the room left when it runs short. */
function Hint({ id, slowModeS, waitS, room }: HintProps) {
  const isSlow = slowModeS > 0
  const pace = isSlow ? `Slow mode: one message every ${durationText(slowModeS)}.` : ''
  const wait = isSlow ? '' : 'You are sending messages too fast. '
  return (
    <div
      id={id}
      className={classNames(
        'flex justify-between gap-3 px-1 text-xs text-muted',
        pace === '' && waitS === 0 && !room.shown && 'sr-only',
      )}
    >
      <span>
        {waitS > 0 ? (
          <>
            {/* Read out once; counting aloud would be a torture. */}
            <span role="status" className="sr-only">
              {`${wait}Please wait before sending another message.`}
            </span>
            <span aria-hidden="true">
              {isSlow ? 'Slow mode: you' : `${wait}You`} can send again in{' '}
              <span className="font-semibold tabular-nums">{countdownText(waitS)}</span>.
            </span>
          </>
        ) : (
          pace
        )}
      </span>
      {room.shown && (
        <span className={classNames('shrink-0 tabular-nums', room.left < 0 && 'font-semibold text-text')}>
          {room.left < 0 ? `${-room.left} over the limit` : `${room.left} left`}
        </span>
      )}
    </div>
  )
}

type HintProps = { id: string; slowModeS: number; waitS: number; room: ReturnType<typeof roomLeft> }
