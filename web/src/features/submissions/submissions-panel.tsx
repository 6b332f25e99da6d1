import {
  MAX_DECISIONS_PER_REQUEST,
  type Submission,
  type SubmissionState,
} from '@looptide/contracts/http/submissions'
import { useState } from 'react'
import { numberText } from '../../lib/count-text.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { useProfiles } from '../audit/api.ts'
import { useVideoDialogs, VideoDialogs } from '../videos/video-dialogs.tsx'
import { useSubmissions } from './api.ts'
import { AcceptDialog, RejectDialog } from './decision-dialogs.tsx'
import { SubmissionRow } from './submission-row.tsx'

const STATES = [
  { id: 'submitted', label: 'Waiting' },
  { id: 'accepted', label: 'Accepted' },
  { id: 'rejected', label: 'Rejected' },
] as const satisfies readonly { id: SubmissionState; label: string }[]

const EMPTY: Record<SubmissionState, { title: string; text: string }> = {
  submitted: {
    title: 'No submissions waiting',
    text: 'Videos that viewers add appear here. They stay private until someone accepts them.',
  },
  accepted: { title: 'Nothing accepted yet', text: 'Accepted submissions are listed here.' },
  rejected: {
    title: 'Nothing rejected yet',
    text: 'Rejected submissions are listed here with their reason.',
  },
}

/** Reviews videos submitted by viewers: preview, accept into a category or channel, reject with a reason. */
export function SubmissionsPanel() {
  const [state, setState] = useState<SubmissionState>('submitted')
  return (
    <section aria-labelledby="submissions" className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="submissions" className="text-xl font-semibold">
          Submissions
        </h2>
        <Choice label="State" isLabelHidden options={STATES} value={state} onChange={setState} />
      </div>
      <SubmissionList key={state} state={state} />
    </section>
  )
}

interface OpenDialog {
  kind: 'accept' | 'reject'
  submissions: readonly Submission[]
}

function SubmissionList({ state }: { state: SubmissionState }) {
  const list = useSubmissions(state)
  return (
    <ListPage
      list={list}
      loading="Loading submissions"
      skeleton={{ count: 3, className: 'h-24' }}
      failed="Failed to load submissions"
      empty={
        <EmptyNotice title={EMPTY[state].title}>
          <p>{EMPTY[state].text}</p>
        </EmptyNotice>
      }
    >
      {(submissions) => (
        <Decisions
          state={state}
          submissions={submissions}
          total={list.total ?? submissions.length}
          onDecided={list.reload}
        />
      )}
    </ListPage>
  )
}

/** The submissions, with the bar and the dialogs that decide about the selected ones. */
function Decisions(props: {
  state: SubmissionState
  submissions: readonly Submission[]
  total: number
  onDecided: () => void
}) {
  const { state, submissions } = props
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [dialog, setDialog] = useState<OpenDialog>()
  const chosen = submissions.filter(({ video }) => selected.has(video.id))
  const close = () => setDialog(undefined)
  const onDecided = () => {
    close()
    setSelected(new Set())
    props.onDecided()
  }
  return (
    <>
      {state !== 'accepted' && (
        <SubmissionBar
          state={state}
          total={props.total}
          selectedCount={chosen.length}
          isAllSelected={chosen.length === submissions.length}
          onSelectAll={() => setSelected(new Set(submissions.map(({ video }) => video.id)))}
          onClear={() => setSelected(new Set())}
          onAccept={() => setDialog({ kind: 'accept', submissions: chosen })}
          onReject={() => setDialog({ kind: 'reject', submissions: chosen })}
        />
      )}
      <Rows
        submissions={submissions}
        selected={selected}
        onToggle={(id) => setSelected((known) => toggled(known, id))}
        onAccept={(submission) => setDialog({ kind: 'accept', submissions: [submission] })}
        onReject={(submission) => setDialog({ kind: 'reject', submissions: [submission] })}
      />
      {dialog?.kind === 'accept' && (
        <AcceptDialog submissions={dialog.submissions} onClose={close} onDecided={onDecided} />
      )}
      {dialog?.kind === 'reject' && (
        <RejectDialog submissions={dialog.submissions} onClose={close} onDecided={onDecided} />
      )}
    </>
  )
}

function Rows(props: {
  submissions: readonly Submission[]
  selected: ReadonlySet<string>
  onToggle: (id: string) => void
  onAccept: (submission: Submission) => void
  onReject: (submission: Submission) => void
}) {
  const { submissions } = props
  const dialogs = useVideoDialogs()
  const profiles = useProfiles(
    submissions.map(({ submittedBy, decidedBy }) => ({ adminUserId: decidedBy, targetUserId: submittedBy })),
  )
  return (
    <>
      <ul
        aria-label="Submitted videos"
        className="divide-y divide-line overflow-hidden rounded-lg border border-line/70 bg-panel"
      >
        {submissions.map((submission) => (
          <SubmissionRow
            key={submission.video.id}
            submission={submission}
            profiles={profiles}
            isSelected={props.selected.has(submission.video.id)}
            onToggle={() => props.onToggle(submission.video.id)}
            onPreview={() => dialogs.play(submission.video)}
            onAccept={() => props.onAccept(submission)}
            onReject={() => props.onReject(submission)}
          />
        ))}
      </ul>
      <VideoDialogs dialogs={dialogs} />
    </>
  )
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Selection buttons and bulk actions for submissions. */
function SubmissionBar(props: {
  state: SubmissionState
  total: number
  selectedCount: number
  isAllSelected: boolean
  onSelectAll: () => void
  onClear: () => void
  onAccept: () => void
  onReject: () => void
}) {
  const { selectedCount } = props
  const isTooMany = selectedCount > MAX_DECISIONS_PER_REQUEST
  const isDisabled = selectedCount === 0 || isTooMany
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={props.isAllSelected} onClick={props.onSelectAll}>
        Select all shown
      </Button>
      <Button disabled={selectedCount === 0} onClick={props.onClear}>
        Clear selection
      </Button>
      <p
        role="status"
        className="mr-auto rounded-full bg-raised px-3 py-1 text-sm font-semibold tabular-nums"
      >
        {numberText(selectedCount)} of {numberText(props.total)} selected
        {isTooMany && `, at most ${MAX_DECISIONS_PER_REQUEST} at once`}
      </p>
      <div className="flex gap-2">
        <Button tone="primary" disabled={isDisabled} onClick={props.onAccept}>
          Accept selected
        </Button>
        {props.state === 'submitted' && (
          <Button disabled={isDisabled} onClick={props.onReject}>
            Reject selected
          </Button>
        )}
      </div>
    </div>
  )
}
