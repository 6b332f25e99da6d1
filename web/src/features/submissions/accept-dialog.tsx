import type { Submission } from '@looptide/contracts/http/submissions'
import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { CATEGORIES, type Category, DEFAULT_CATEGORY } from '../admin/categories.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { useChannelChoices } from './api.ts'
import { ChannelEffect } from './channel-effect.tsx'
import { SubmissionNames } from './submission-names.tsx'
import { useDecision } from './use-decision.ts'

const NO_CHANNEL = ''

/** Accepts videos into a category and, optionally, onto a channel. */
export function AcceptDialog(props: {
  submissions: readonly Submission[]
  onClose: () => void
  onDecided: () => void
}) {
  const { submissions } = props
  const [category, setCategory] = useState<Category>(DEFAULT_CATEGORY)
  const [channelId, setChannelId] = useState<string>(NO_CHANNEL)
  const channels = useChannelChoices()
  const channel = channels.find(({ id }) => id === channelId)

  const form = useDecision({
    decide: () =>
      api.call('POST /api/submissions/accept', {
        body: {
          ids: submissions.map(({ video }) => video.id),
          category,
          ...(submissions[0]?.state === 'rejected' ? { state: 'rejected' } : { state: 'submitted' }),
          ...(channel && { channelId: channel.id }),
        },
      }),
    done: (count) => ({
      title: count === 1 ? 'Video accepted' : 'Videos accepted',
      description: `${videoCountText(count)} in ${category}${channel ? ` and on ${channel.name}` : ''}.`,
    }),
    failed: { title: 'Error accepting videos', text: 'Failed to accept the videos. Please try again.' },
    onDecided: props.onDecided,
  })

  return (
    <Dialog
      title={submissions.length === 1 ? 'Accept this video?' : `Accept ${submissions.length} videos?`}
      isOpen
      onClose={props.onClose}
      width="narrow"
    >
      <Form form={form} className="grid gap-5">
        <SubmissionNames submissions={submissions} />
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
        <DialogActions onCancel={props.onClose}>
          <SubmitButton form={form} busyLabel="Accepting...">
            Accept
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
