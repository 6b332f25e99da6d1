import type { ChatMessage } from '@looptide/contracts/http/chat'
import type { Restriction } from '@looptide/contracts/http/users'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { api, serverClock } from '../../lib/clients.ts'
import { conflictingRestriction, liftRestriction } from '../../lib/session/restrictions.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type ToastAction, toast } from '../../ui/toast.ts'
import { banFromChat, timeOut } from './api.ts'
import type { MessageIntent } from './chat-line.tsx'
import { authorName } from './chat-rows.ts'
import { durationText } from './composer-rules.ts'

const TIME_OUTS_S = [60, 600, 3600, 86_400, 604_800]

interface ModerationDialogProps {
  message: ChatMessage
  intent: Exclude<MessageIntent, 'report'>
  onRemoved: () => void
  onClose: () => void
}

const removeMessage = ({ channelId, id }: ChatMessage): Promise<void> =>
  api.call('DELETE /api/chat/channels/:id/messages/:messageId', {
    params: { id: channelId, messageId: id },
  })

/** A dialog with the moderation actions for a message and its author. It quotes the message, to avoid mistakes. */
export function ModerationDialog({ message, intent, onRemoved, onClose }: ModerationDialogProps) {
  const [isBanning, setBanning] = useState(intent === 'ban')
  const { isBusy, run, replacing } = useModerationAction(onClose)
  const name = authorName(message)

  const ban = () =>
    run((replaces) => banFromChat(message.userId, replaces).then(undoUnless(replaces)), {
      done: { title: 'User Banned', description: `${name} can no longer chat.` },
      failed: 'Failed to ban user.',
    })
  const remove = () =>
    run(() => removeMessage(message).then(() => void onRemoved()), {
      done: { title: 'Message Deleted' },
      failed: 'Failed to delete message.',
    })
  const giveTimeOut = (seconds: number) =>
    run(
      (replaces) => {
        const terms = { durationMs: seconds * 1000, nowMs: serverClock.nowMs(), replaces }
        return timeOut(message.userId, terms).then(undoUnless(replaces))
      },
      {
        done: { title: 'User Timed Out', description: `${name} can chat again in ${durationText(seconds)}.` },
        failed: 'Failed to time out user.',
      },
    )

  return (
    <Dialog
      title={isBanning ? `Ban ${name} from chat?` : `Moderate ${name}`}
      isOpen
      onClose={onClose}
      width="narrow"
    >
      <blockquote
        dir="auto"
        className="mb-5 line-clamp-4 border-l-2 border-line pl-3 text-sm [overflow-wrap:anywhere] text-muted"
      >
        {message.message}
      </blockquote>
      {replacing ? (
        <ReplaceQuestion
          text={replacing.text}
          isBusy={isBusy}
          onReplace={replacing.confirm}
          onCancel={onClose}
        />
      ) : isBanning ? (
        <BanQuestion isBusy={isBusy} onBan={ban} onCancel={onClose} />
      ) : (
        <Actions
          message={message}
          isBusy={isBusy}
          onRemove={remove}
          onTimeOut={giveTimeOut}
          onBan={() => setBanning(true)}
        />
      )}
    </Dialog>
  )
}

function BanQuestion(props: { isBusy: boolean; onBan: () => void; onCancel: () => void }) {
  return (
    <>
      <p className="mb-5">They can still read the chat, but cannot write until an admin removes the ban.</p>
      <div className="flex justify-end gap-3">
        <Button isBusy={props.isBusy} onClick={props.onCancel}>
          Cancel
        </Button>
        <Button tone="danger" icon="ban" isBusy={props.isBusy} onClick={props.onBan}>
          Ban
        </Button>
      </div>
    </>
  )
}

/** Asks for confirmation before an active restriction is replaced. */
function ReplaceQuestion(props: {
  text: string
  isBusy: boolean
  onReplace: () => void
  onCancel: () => void
}) {
  return (
    <div role="alert">
      <p className="mb-2 [overflow-wrap:anywhere]">{props.text}</p>
      <p className="mb-5">The new restriction replaces it.</p>
      <div className="flex justify-end gap-3">
        <Button autoFocus isBusy={props.isBusy} onClick={props.onCancel}>
          Keep
        </Button>
        <Button tone="danger" isBusy={props.isBusy} onClick={props.onReplace}>
          Replace
        </Button>
      </div>
    </div>
  )
}

interface ActionsProps {
  message: ChatMessage
  isBusy: boolean
  onRemove: () => void
  onTimeOut: (seconds: number) => void
  onBan: () => void
}

function Actions({ message, isBusy, onRemove, onTimeOut, onBan }: ActionsProps) {
  const { userId, may } = useSession()
  const isAdmin = may('users:manage')
  const isOwn = message.userId === userId
  // Only admins may restrict moderators and admins.
  const mayTimeOut = !isOwn && (isAdmin || message.author.role === 'user')
  return (
    <div className="grid gap-5">
      <ActionGroup title="Message">
        <Button tone="danger" icon="remove" isBusy={isBusy} onClick={onRemove}>
          Delete message
        </Button>
      </ActionGroup>
      {mayTimeOut && (
        <ActionGroup title="Time out for">
          {TIME_OUTS_S.map((seconds) => (
            <Button key={seconds} isBusy={isBusy} onClick={() => onTimeOut(seconds)}>
              {durationText(seconds)}
            </Button>
          ))}
        </ActionGroup>
      )}
      {isAdmin && !isOwn && (
        <ActionGroup title="Permanently">
          <Button icon="ban" isBusy={isBusy} onClick={onBan}>
            Ban from chat...
          </Button>
        </ActionGroup>
      )}
    </div>
  )
}

function ActionGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold text-muted">{title}</h3>
      <div className="flex flex-wrap gap-2">{children}</div>
    </section>
  )
}

interface Outcome {
  done: { title: string; description?: string }
  failed: string
}

/** The Undo action of a toast, which lifts the restriction. */
const undoAction = (restriction: Restriction): ToastAction => ({
  label: 'Undo',
  onPress: () => {
    liftRestriction(restriction).then(
      () => toast({ title: 'Restriction Removed', tone: 'success' }),
      () => toast({ title: 'Error', description: 'Failed to remove restriction.', tone: 'error' }),
    )
  },
})

/** An Undo action, except after a replacement, because lifting would not restore the earlier restriction. */
const undoUnless = (replaces: string | null) => (restriction: Restriction) =>
  replaces === null ? undoAction(restriction) : undefined

/** Performs the action and returns its undo, if possible. `replaces` is the id of the restriction it may replace. */
type ModerationAction = (replaces: string | null) => Promise<ToastAction | undefined>
const UNDO_MS = 8_000

/**
 * Performs an action, shows its result, and closes the dialog, unless it failed. `replacing` is set when an active
 * restriction must be confirmed for replacement.
 */
function useModerationAction(onClose: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [replacing, setReplacing] = useState<{ text: string; confirm: () => void }>()
  const attempt = async (action: ModerationAction, outcome: Outcome, replaces: string | null) => {
    const { done, failed } = outcome
    setBusy(true)
    try {
      const undo = await action(replaces)
      toast({ ...done, tone: 'success', ...(undo && { action: undo, durationMs: UNDO_MS }) })
      onClose()
    } catch (failure) {
      setBusy(false)
      const conflict = conflictingRestriction(failure)
      if (conflict) {
        const confirm = () => void attempt(action, outcome, conflict.id)
        return setReplacing({ text: conflict.text, confirm })
      }
      // The server's message is more specific, e.g. "A longer restriction is in force".
      const isConflict = failure instanceof ApiError && failure.status === 409
      toast({ title: 'Error', description: isConflict ? failure.message : failed, tone: 'error' })
    }
  }
  return {
    isBusy,
    replacing,
    run: (action: ModerationAction, outcome: Outcome) => void attempt(action, outcome, null),
  }
}
