import type { DraftReturn, DraftSubmission } from '@looptide/contracts/http/schedules'
import { type ReactNode, useState } from 'react'
import { useAction } from '../../../lib/failures.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { lazyDialog } from '../../admin/lazy-part.ts'
import { handleOfProfile, useProfiles } from '../../audit/api.ts'
import { scheduleActions } from '../api.ts'
import { dateTimeIn } from '../model/zoned-time.ts'
import type { OpenEditor } from './use-schedule-editor.ts'

const SendBackDialog = lazyDialog(
  async () => (await import('../publish/send-back-dialog.tsx')).SendBackDialog,
)

/** Who waits for an approval of the draft since when, the note about it, and a button that ends the submission. */
export function SubmissionLine(props: { editor: OpenEditor; submission: DraftSubmission }) {
  const { channel } = props.editor
  const { submittedBy, submittedAt, note } = props.submission
  const [isSendingBack, setSendingBack] = useState(false)
  const { isBusy, run } = useAction()
  const { userId } = useSession()
  const isOwn = submittedBy === userId
  const withdraw = async () => {
    const failed = { title: 'Failed to withdraw the draft', text: 'Please try again.' }
    const isDone = await run(() => scheduleActions.endSubmission(channel.id), failed)
    if (isDone) toast({ title: 'Draft withdrawn', tone: 'success' })
  }
  return (
    <ApprovalLine
      editor={props.editor}
      title="Waiting for approval"
      by={submittedBy}
      at={submittedAt}
      text={note}
    >
      {isOwn ? (
        <Button isBusy={isBusy} onClick={() => void withdraw()}>
          Withdraw
        </Button>
      ) : (
        <Button onClick={() => setSendingBack(true)}>Send back</Button>
      )}
      {isSendingBack && <SendBackDialog channel={channel} onClose={() => setSendingBack(false)} />}
    </ApprovalLine>
  )
}

/** Who has sent the last submission of the draft back, when and why. */
export function SentBackLine({ editor, sentBack }: { editor: OpenEditor; sentBack: DraftReturn }) {
  const { sentBackBy, sentBackAt, reason } = sentBack
  return <ApprovalLine editor={editor} title="Sent back" by={sentBackBy} at={sentBackAt} text={reason} />
}

function ApprovalLine(props: {
  editor: OpenEditor
  title: string
  by: string | null
  at: string
  text: string
  children?: ReactNode
}) {
  const { userId } = useSession()
  const { by } = props
  const profiles = useProfiles([{ adminUserId: by, targetUserId: null }])
  const name = by === null ? 'a deleted account' : handleOfProfile(profiles.get(by))
  return (
    <div className="flex basis-full flex-wrap items-center gap-x-3 gap-y-1 border-t border-line/70 pt-2 text-sm">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium wrap-anywhere">
          {props.title}
          <span className="font-normal text-muted">
            {' '}
            · <bdi>{by === userId ? 'You' : name}</bdi>,{' '}
            {dateTimeIn(props.editor.document.timeZone, Date.parse(props.at))}
          </span>
        </p>
        {props.text !== '' && <p className="text-muted wrap-anywhere whitespace-pre-line">{props.text}</p>}
      </div>
      {props.children}
    </div>
  )
}
