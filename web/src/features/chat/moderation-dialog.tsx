import type { ChatMessage } from '@looptide/contracts/http/chat'
import type { Restriction } from '@looptide/contracts/http/users'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { serverClock } from '../../lib/clients.ts'
import { inForceOf, liftRestriction } from '../../lib/restrictions.ts'
import { useSession } from '../../lib/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type ToastAction, toast } from '../../ui/toast.ts'
import { banFromChat, removeMessage, timeOut } from './api.ts'
import type { ModerationIntent } from './chat-line.tsx'
import { authorName } from './chat-rows.ts'
import { durationText } from './composer-rules.ts'

const TIME_OUTS_S = [60, 600, 3600, 86_400, 604_800]

type ModerationDialogProps = {
  message: ChatMessage
  intent: ModerationIntent
  onRemoved: () => void
  onClose: () => void
}

/** What can be done about a message and its author. The message is shown again, so that nobody hits the wrong one. */
export function ModerationDialog({ message, intent, onRemoved, onClose }: ModerationDialogProps) {
  const [isBanning, setBanning] = useState(intent === 'ban')
  const { isBusy, run, replacing } = useDeed(onClose)
  const name = authorName(message)

  const ban = () =>
    run((replaces) => banFromChat(message.userId, replaces).then(undoUnless(replaces)), {
      done: { title: 'User Banned', description: `${name} can no longer chat.` },
      failed: 'Failed to ban user.',
    })
  const remove = () =>
    run(() => removeMessage(message.channelId, message.id).then(() => void onRemoved()), {
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
        <Deeds
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
      <p className="mb-5">They can go on reading, but no longer write, until an admin lifts the ban.</p>
      <div className="flex justify-end gap-3">
        <Button disabled={props.isBusy} onClick={props.onCancel}>
          Cancel
        </Button>
        <Button tone="danger" icon="ban" disabled={props.isBusy} onClick={props.onBan}>
          Ban
        </Button>
      </div>
    </>
  )
}

/** Asks before the restriction in force is replaced by another one. */
function ReplaceQuestion(props: {
  text: string
  isBusy: boolean
  onReplace: () => void
  onCancel: () => void
}) {
  return (
    <div role="alert">
      <p className="mb-2 [overflow-wrap:anywhere]">{props.text}</p>
      <p className="mb-5">The new one replaces it.</p>
      <div className="flex justify-end gap-3">
        <Button autoFocus disabled={props.isBusy} onClick={props.onCancel}>
          Keep it
        </Button>
        <Button tone="danger" disabled={props.isBusy} onClick={props.onReplace}>
          Replace
        </Button>
      </div>
    </div>
  )
}

type DeedsProps = {
  message: ChatMessage
  isBusy: boolean
  onRemove: () => void
  onTimeOut: (seconds: number) => void
  onBan: () => void
}

function Deeds({ message, isBusy, onRemove, onTimeOut, onBan }: DeedsProps) {
  const { userId, isAdmin } = useSession()
  const isOwn = message.userId === userId
  // Only admins may restrict those who keep order themselves.
  const mayTimeOut = !isOwn && (isAdmin || message.author.role === 'user')
  return (
    <div className="grid gap-5">
      <DeedGroup title="Message">
        <Button tone="danger" icon="remove" disabled={isBusy} onClick={onRemove}>
          Delete message
        </Button>
      </DeedGroup>
      {mayTimeOut && (
        <DeedGroup title="Time out: may not write for">
          {TIME_OUTS_S.map((seconds) => (
            <Button key={seconds} disabled={isBusy} onClick={() => onTimeOut(seconds)}>
              {durationText(seconds)}
            </Button>
          ))}
        </DeedGroup>
      )}
      {isAdmin && !isOwn && (
        <DeedGroup title="For good">
          <Button icon="ban" disabled={isBusy} onClick={onBan}>
            Ban from chat…
          </Button>
        </DeedGroup>
      )}
    </div>
  )
}

function DeedGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold text-muted">{title}</h3>
      <div className="flex flex-wrap gap-2">{children}</div>
    </section>
  )
}

type Outcome = { done: { title: string; description?: string }; failed: string }

/** A press on the wrong person is made good by another. */
const undoing = (restriction: Restriction): ToastAction => ({
  label: 'Undo',
  onPress: () => {
    liftRestriction(restriction).then(
      () => toast({ title: 'Restriction Removed', tone: 'success' }),
      () => toast({ title: 'Error', description: 'Failed to remove restriction.', tone: 'error' }),
    )
  },
})

/** Undo lifts the new restriction. After a replacement there is none: the earlier one would not come back. */
const undoUnless = (replaces: string | null) => (restriction: Restriction) =>
  replaces === null ? undoing(restriction) : undefined

/** Done once; returns how to undo it, if that is possible. `replaces` is the id of the restriction it may replace. */
type Deed = (replaces: string | null) => Promise<ToastAction | undefined>
const UNDO_MS = 8_000

/**
 * Does it, says what it did, and closes; a failure leaves the dialog open for another try. `replacing` is the question
 * whether to replace a restriction in force.
 */
function useDeed(onClose: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [replacing, setReplacing] = useState<{ text: string; confirm: () => void }>()
  const attempt = async (deed: Deed, outcome: Outcome, replaces: string | null) => {
    const { done, failed } = outcome
    setBusy(true)
    try {
      const undo = await deed(replaces)
      toast({ ...done, tone: 'success', ...(undo && { action: undo, durationMs: UNDO_MS }) })
      onClose()
    } catch (failure) {
      setBusy(false)
      const inForce = inForceOf(failure)
      if (inForce) {
        const confirm = () => void attempt(deed, outcome, inForce.id)
        return setReplacing({ text: inForce.text, confirm })
      }
      // "A longer restriction is in force": the server's own words say more than ours.
      const isConflict = failure instanceof ApiError && failure.status === 409
      toast({ title: 'Error', description: isConflict ? failure.message : failed, tone: 'error' })
    }
  }
  return { isBusy, replacing, run: (deed: Deed, outcome: Outcome) => void attempt(deed, outcome, null) }
}
