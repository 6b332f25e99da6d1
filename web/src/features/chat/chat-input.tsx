import { CHAT_MESSAGE_MAX, type ChatMessage } from '@looptide/contracts/http/chat'
import { type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { ApiError } from '../../lib/api-error.ts'
import { randomId } from '../../lib/random-id.ts'
import { useSession } from '../../lib/session.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { toast } from '../../ui/toast.ts'
import { postMessage } from './api.ts'

/** The words for a message that was not taken (viewer specification §8). */
export function sendFailureText(failure: unknown): string {
  if (!(failure instanceof ApiError) || failure.isOutage) return 'Failed to send message.'
  if (failure.status === 429) {
    const waitS = Math.max(1, Math.ceil((failure.retryAfterMs ?? 1000) / 1000))
    return `You are writing too fast. You can write again in ${waitS} s.`
  }
  return 'Failed to send message. You may be restricted from chat.'
}

/** Enter sends, Shift+Enter makes a new line; closed while a message is under way. */
export function ChatInput({
  channelId,
  onSent,
}: {
  channelId: string
  onSent: (message: ChatMessage) => void
}) {
  const { status } = useSession()
  if (status === 'signed-out') {
    return (
      <p className="shrink-0 border-t border-line px-4 py-4 text-sm text-muted">
        <Link to={paths.root()} className="font-semibold text-link underline underline-offset-4">
          Please log in to chat
        </Link>
      </p>
    )
  }
  return <OpenChatInput channelId={channelId} onSent={onSent} />
}

function OpenChatInput({ channelId, onSent }: { channelId: string; onSent: (message: ChatMessage) => void }) {
  const [text, setText] = useState('')
  const [isSending, setSending] = useState(false)
  // One id per text: a second try after a lost answer is the same message, and shown once.
  const draft = useRef<{ text: string; clientId: string } | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)

  const send = async () => {
    const message = text.trim()
    if (message === '' || isSending) return
    if (draft.current?.text !== message) draft.current = { text: message, clientId: randomId() }
    setSending(true)
    try {
      onSent(await postMessage(channelId, { clientId: draft.current.clientId, message }))
      draft.current = null
      setText('')
    } catch (failure) {
      toast({ title: 'Error', description: sendFailureText(failure), tone: 'error' })
    } finally {
      setSending(false)
      requestAnimationFrame(() => field.current?.focus())
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    void send()
  }

  return (
    <form onSubmit={onSubmit} className="flex shrink-0 items-end gap-2 border-t border-line p-3">
      <textarea
        ref={field}
        rows={1}
        aria-label="Message"
        placeholder="Say something"
        maxLength={CHAT_MESSAGE_MAX}
        value={text}
        disabled={isSending}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className={classNames('field', 'field-sizing-content max-h-32 resize-none text-sm')}
      />
      <IconButton
        type="submit"
        icon="send"
        label="Send"
        tone="primary"
        className="shrink-0"
        disabled={isSending || text.trim() === ''}
      />
    </form>
  )
}
