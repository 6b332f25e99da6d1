import type { ChatMessage } from '@looptide/contracts/http/chat'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { banFromChat } from './api.ts'

const timeOf = (instant: string): string =>
  new Date(instant).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

/** One message. Its text is text: nothing in it becomes markup. */
export function ChatLine(props: { message: ChatMessage; isOwn: boolean; mayBan: boolean }) {
  const { author, message, createdAt, userId } = props.message
  const name = author.handle ?? author.artistName ?? 'Viewer'
  return (
    <li className="group text-sm leading-relaxed">
      <div className="flex min-h-6 items-center gap-2">
        <span className={props.isOwn ? 'truncate font-semibold text-link' : 'truncate font-semibold'}>
          {name}
        </span>
        <time dateTime={createdAt} className="text-xs text-muted tabular-nums">
          {timeOf(createdAt)}
        </time>
        {props.mayBan && !props.isOwn && <BanButton userId={userId} name={name} />}
      </div>
      <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">{message}</p>
    </li>
  )
}

/** Asks once more before it bans. */
function BanButton({ userId, name }: { userId: string; name: string }) {
  const [state, setState] = useState<'idle' | 'asking' | 'busy'>('idle')

  const ban = async () => {
    setState('busy')
    try {
      await banFromChat(userId)
      toast({ title: 'User Banned', description: `${name} can no longer chat.`, tone: 'success' })
    } catch {
      toast({ title: 'Error', description: 'Failed to ban user.', tone: 'error' })
    }
    setState('idle')
  }

  if (state === 'idle') {
    return (
      <IconButton
        icon="ban"
        label={`Ban ${name} from chat`}
        className="ml-auto size-8 min-h-8 text-muted"
        onClick={() => setState('asking')}
      />
    )
  }
  return (
    <span className="ml-auto flex gap-1">
      <Button
        tone="danger"
        className="min-h-8 px-2 py-0.5"
        disabled={state === 'busy'}
        onClick={() => void ban()}
      >
        Ban
      </Button>
      <Button className="min-h-8 px-2 py-0.5" disabled={state === 'busy'} onClick={() => setState('idle')}>
        Cancel
      </Button>
    </span>
  )
}
