import type { DecideSubmissionsResult, Submission } from '@looptide/contracts/http/submissions'
import { type ReactNode, useState } from 'react'
import { api } from '../../lib/clients.ts'
import { type FailedTexts, showFailure } from '../../lib/failures.ts'
import { videoName } from '../../lib/video-name.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { CATEGORIES, type Category, DEFAULT_CATEGORY } from '../admin/categories.ts'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { publicVideosText, videoCountText } from '../admin/video-texts.ts'
import { useSimulation } from '../channels/api.ts'
import { useChannelChoices } from './api.ts'

interface DecisionProps {
  submissions: readonly Submission[]
  onClose: () => void
  onDecided: () => void
}

const NO_CHANNEL = ''

/** Accepts videos into a category and, optionally, onto a channel. */
export function AcceptDialog(props: DecisionProps) {
  const { submissions } = props
  const [category, setCategory] = useState<Category>(DEFAULT_CATEGORY)
  const [channelId, setChannelId] = useState<string>(NO_CHANNEL)
  const channels = useChannelChoices()
  const channel = channels.find(({ id }) => id === channelId)
  return (
    <DecisionDialog
      {...props}
      label="Accept"
      busyLabel="Accepting..."
      doneTitles={['Video accepted', 'Videos accepted']}
      failed={{ title: 'Error accepting videos', text: 'Failed to accept the videos. Please try again.' }}
      decide={(ids) =>
        api.call('POST /api/submissions/accept', {
          body: {
            ids,
            category,
            ...(submissions[0]?.state === 'rejected' ? { state: 'rejected' } : { state: 'submitted' }),
            ...(channel && { channelId: channel.id }),
          },
        })
      }
      doneText={(count) =>
        `${videoCountText(count)} in ${category}${channel ? ` and on ${channel.name}` : ''}.`
      }
    >
      <SelectField
        label="Category"
        choices={CATEGORIES.map((value) => ({ value, label: value }))}
        value={category}
        onChange={setCategory}
      />
      <SelectField
        label="Add to channel"
        choices={[
          { value: NO_CHANNEL, label: 'No channel' },
          ...channels.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={channelId}
        onChange={setChannelId}
      />
      <p className="text-sm text-muted">
        Accepted videos are visible to everyone.
        {channel && (
          <>
            {' '}
            They are added at the end of the playlist of <bdi>{channel.name}</bdi>.
          </>
        )}
      </p>
      {channel && <ChannelEffect channelId={channel.id} count={submissions.length} />}
    </DecisionDialog>
  )
}

/**
 * Warns how accepting videos onto a channel changes what it plays. The scheduler does not know videos under review, so
 * their duration is not included.
 */
function ChannelEffect({ channelId, count }: { channelId: string; count: number }) {
  const { data } = useSimulation(channelId, { hours: 1 })
  if (!data) return null
  const { before } = data.loop
  if (before.source === 'playlist') return <ShortLoopWarning loop={before} />
  if (before.videosCount === 0) return null
  return (
    <p className="rounded-md border border-accent px-3 py-2 text-sm font-medium">
      <span aria-hidden="true">⚠ </span>
      The channel will play only {count === 1 ? 'this video' : `these ${videoCountText(count)}`} in a loop
      instead of {publicVideosText(before)}.
    </p>
  )
}

/** Maximum length of a reason on the server. */
const MAX_REASON = 500

/** Rejects videos with a reason, which the submitters can read. */
export function RejectDialog(props: DecisionProps) {
  const [reason, setReason] = useState('')
  return (
    <DecisionDialog
      {...props}
      label="Reject"
      busyLabel="Rejecting..."
      doneTitles={['Video rejected', 'Videos rejected']}
      failed={{ title: 'Error rejecting videos', text: 'Failed to reject the videos. Please try again.' }}
      tone="danger"
      isIncomplete={reason.trim() === ''}
      decide={(ids) => api.call('POST /api/submissions/reject', { body: { ids, reason: reason.trim() } })}
      doneText={(count) => `${videoCountText(count)} rejected. The submitters can read the reason.`}
    >
      <TextArea
        label="Reason"
        hint="The submitters can read it."
        rows={3}
        required
        maxLength={MAX_REASON}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </DecisionDialog>
  )
}

/** Asks for a decision about submissions. Its result is shown as a toast; `onDecided` is called after success. */
function DecisionDialog(
  props: DecisionProps & {
    label: string
    busyLabel: string
    /** For one video and for several. */
    doneTitles: readonly [string, string]
    failed: FailedTexts
    tone?: 'danger'
    isIncomplete?: boolean
    decide: (ids: string[]) => Promise<DecideSubmissionsResult>
    /** `count`: number of changed submissions. */
    doneText: (count: number) => string
    children: ReactNode
  },
) {
  const { submissions, label, doneTitles } = props
  const form = useForm({
    send: async () => {
      const { decided } = await props.decide(submissions.map(({ video }) => video.id))
      const count = decided.length
      if (count === 0) toast({ title: 'Nothing changed', description: 'Someone else has already decided.' })
      else {
        const title = doneTitles[count === 1 ? 0 : 1]
        toast({ title, description: props.doneText(count), tone: 'success' })
      }
      props.onDecided()
    },
    onFailure: (failure) => showFailure(failure, props.failed),
  })
  return (
    <Dialog
      title={`${label} ${submissions.length === 1 ? 'this video' : videoCountText(submissions.length)}?`}
      isOpen
      onClose={props.onClose}
      width="narrow"
    >
      <Form form={form} className="grid gap-5">
        <SubmissionNames submissions={submissions} />
        {props.children}
        <DialogActions onCancel={props.onClose}>
          <SubmitButton
            form={form}
            tone={props.tone}
            busyLabel={props.busyLabel}
            disabled={props.isIncomplete}
          >
            {label}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Number of videos listed by title; the rest are counted. */
const NAMED = 5

/** The titles of the videos that a dialog is about. */
function SubmissionNames({ submissions }: { submissions: readonly Submission[] }) {
  const rest = submissions.length - NAMED
  return (
    <ul className="grid gap-1">
      {submissions.slice(0, NAMED).map(({ video }) => (
        <li key={video.id} className="line-clamp-2 font-medium wrap-anywhere">
          {videoName(video)}
        </li>
      ))}
      {rest > 0 && <li className="text-muted">and {rest} more</li>}
    </ul>
  )
}
