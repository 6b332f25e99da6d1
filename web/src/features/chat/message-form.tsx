import { CHAT_MESSAGE_MAX } from '@looptide/contracts/http/chat'
import {
  type KeyboardEvent,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useId,
  useReducer,
  useRef,
  useState,
} from 'react'
import { randomId } from '../../lib/browser/random-id.ts'
import { useSession } from '../../lib/session/session.tsx'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { localNowMs } from '../../lib/time/server-clock.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { toast } from '../../ui/toast.ts'
import { postMessage, type Sent } from './api.ts'
import {
  countdownText,
  cutToLimit,
  durationText,
  isRefused,
  remainingLength,
  retryAfterMs,
  sendFailureText,
} from './composer-rules.ts'

interface MessageFormProps {
  channelId: string
  userId: string
  slowModeS: number
  /** When slow mode allows the next message, as last fetched (local clock, ms). */
  waitUntilMs: number
  onSent: (sent: Sent) => void
  /** Called when the permissions must be fetched again. */
  onStale: () => void
  onFocusChange: (isFocused: boolean) => void
}

/** The message field: Enter sends, Shift+Enter adds a line. Read-only while sending. A failed message is kept. */
export function MessageForm(props: MessageFormProps) {
  const { text, setText, isSending, waitS, send, field } = useMessageForm(props)
  const cutCount = useCutInsertions(field, text, setText)
  const remaining = remainingLength(text)
  const hintId = useId()
  const mayNotSend = isSending || waitS > 0 || text.trim() === '' || remaining.left < 0

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
      <Hint id={hintId} slowModeS={props.slowModeS} waitS={waitS} remaining={remaining} cutCount={cutCount} />
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={1}
          // Spatial navigation finds a textarea only with a tab index.
          tabIndex={0}
          aria-label="Message"
          aria-describedby={hintId}
          aria-invalid={remaining.left < 0 ? true : undefined}
          placeholder="Say something"
          enterKeyHint="send"
          autoComplete="off"
          dir="auto"
          value={text}
          // Read-only instead of disabled, to keep the focus and a phone's keyboard.
          aria-disabled={isSending}
          readOnly={isSending}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={() => props.onFocusChange(true)}
          onBlur={() => props.onFocusChange(false)}
          className={classNames(
            'field',
            'field-sizing-content max-h-32 min-w-0 flex-1 resize-none wrap-anywhere aria-disabled:opacity-55',
          )}
        />
        <IconButton
          type="submit"
          icon="send"
          label="Send"
          tone="primary"
          className="shrink-0"
          disabled={mayNotSend}
          // Keeps the focus in the field, and a phone's keyboard open.
          onPointerDown={(event) => event.preventDefault()}
        />
      </div>
    </form>
  )
}

function useMessageForm({ channelId, userId, slowModeS, waitUntilMs, ...props }: MessageFormProps) {
  const { may } = useSession()
  const isModerator = may('chat:moderate')
  const [text, setKnownText] = useState(() => draftOf(channelId, userId))
  const [isSending, setSending] = useState(false)
  const [retryAtMs, setRetryAtMs] = useState(0)
  // One id per text, so that a retry after a lost response does not create another message.
  const draft = useRef<{ text: string; clientId: string } | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const waitS = useCountdown(isModerator ? retryAtMs : Math.max(retryAtMs, waitUntilMs))

  // A change of slow mode changes the waiting time, so it is fetched again.
  const knownSlowModeS = useRef(slowModeS)
  const onSlowMode = useEffectEvent((seconds: number) => {
    if (seconds === knownSlowModeS.current) return
    knownSlowModeS.current = seconds
    setRetryAtMs(0)
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
      if (!isModerator) setRetryAtMs(localNowMs() + slowModeS * 1000)
    } catch (failure) {
      const waitMs = retryAfterMs(failure)
      if (waitMs !== undefined) setRetryAtMs(localNowMs() + waitMs)
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

/** The line above the field: slow mode, the remaining waiting time, and the remaining length when little is left. */
function Hint({ id, slowModeS, waitS, remaining, cutCount }: HintProps) {
  const isSlow = slowModeS > 0
  const pace = isSlow ? `Slow mode: one message every ${durationText(slowModeS)}.` : ''
  const wait = isSlow ? '' : 'You are sending messages too fast. '
  return (
    <div
      id={id}
      className={classNames(
        'flex justify-between gap-3 px-1 text-xs text-muted',
        pace === '' && waitS === 0 && !remaining.shown && cutCount === 0 && 'sr-only',
      )}
    >
      <span>
        {waitS > 0 ? (
          <>
            {/* Announced once instead of every second. */}
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
      <span role="status">
        {cutCount > 0 && `Too long: ${cutCount.toLocaleString(dateLocale)} characters were cut off.`}
      </span>
      {remaining.shown && (
        <span
          className={classNames('shrink-0 tabular-nums', remaining.left < 0 && 'font-semibold text-text')}
        >
          {remaining.left < 0 ? `${-remaining.left} over the limit` : `${remaining.left} left`}
        </span>
      )}
    </div>
  )
}

interface HintProps {
  id: string
  slowModeS: number
  waitS: number
  remaining: ReturnType<typeof remainingLength>
  /** Characters of the last insertion that did not fit. */
  cutCount: number
}

/** Types of `beforeinput` whose text is not typed. */
const CUT_INSERTIONS: ReadonlySet<string> = new Set(['insertFromPaste', 'insertFromDrop'])

/**
 * Cuts pasted and dropped text to the limit before the browser inserts it, and what a keyboard, a dictation or an extension
 * inserts at once if it is longer than a message. Returns the number of characters that were cut off, until the text changes
 * again.
 */
function useCutInsertions(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
): number {
  const [cut, setCut] = useState({ text: '', count: 0 })
  const onInsert = useEffectEvent((event: InputEvent) => {
    const { currentTarget, data, inputType } = event
    if (!(currentTarget instanceof HTMLTextAreaElement) || data === null) return
    if (!CUT_INSERTIONS.has(inputType) && data.length <= CHAT_MESSAGE_MAX) return
    const { value, selectionStart, selectionEnd } = currentTarget
    const { fitting, cutCount } = cutToLimit({
      before: value.slice(0, selectionStart),
      inserted: data,
      after: value.slice(selectionEnd),
    })
    if (cutCount === 0) return
    event.preventDefault()
    currentTarget.setRangeText(fitting, selectionStart, selectionEnd, 'end')
    setCut({ text: currentTarget.value, count: cutCount })
    setText(currentTarget.value)
  })
  useEffect(() => {
    const element = field.current
    const listener = (event: InputEvent) => onInsert(event)
    element?.addEventListener('beforeinput', listener)
    return () => element?.removeEventListener('beforeinput', listener)
  }, [field])
  return text === cut.text ? cut.count : 0
}

/** Unsent messages by channel and user. Kept outside the panel, because that closes on entering fullscreen. */
const drafts = new Map<string, string>()

const keyOf = (channelId: string, userId: string): string => `looptide.message ${channelId} ${userId}`

/** The unsent message, also one from before a reload. */
function draftOf(channelId: string, userId: string): string {
  const key = keyOf(channelId, userId)
  try {
    return drafts.get(key) ?? sessionStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function keepDraft(channelId: string, userId: string, text: string): void {
  const key = keyOf(channelId, userId)
  drafts.set(key, text)
  try {
    if (text === '') sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, text)
  } catch {
    // Without storage the message is lost only by a reload.
  }
}

const LOOK_MS = 200

/** Whole seconds until an instant of the local clock (see `localNowMs`); 0 once it has passed. */
function useCountdown(untilMs: number): number {
  const [, look] = useReducer((looks: number) => looks + 1, 0)
  const leftS = Math.max(0, Math.ceil((untilMs - localNowMs()) / 1000))
  const isOver = leftS === 0
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(look, LOOK_MS)
    return () => clearInterval(timer)
  }, [isOver])
  return leftS
}
