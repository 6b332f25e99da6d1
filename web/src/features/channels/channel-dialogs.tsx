import { type Channel, MAX_REQUEST_EVERY, MIN_REQUEST_EVERY } from '@looptide/contracts/http/channels'
import { typedNumber } from '@looptide/contracts/typed-text'
import { useState } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { showFailure } from '../../lib/failures.ts'
import { liveChannelId } from '../../lib/live-channel.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { type FieldProblem, useForm } from '../../ui/use-form.ts'
import { channelActions } from './api.ts'
import { ChannelFields, type ChannelFormValues, channelProblem } from './channel-fields.tsx'

/** Dialog to edit a channel's name, description, position, logo and requests. */
export function EditChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  return (
    <Dialog title={`Edit ${channel.name}`} isOpen onClose={onClose} width="narrow">
      <EditChannelForm channel={channel} onSaved={onClose} onCancel={onClose} />
    </Dialog>
  )
}

/** Form to edit a channel's name, description, position, logo and requests; with a Cancel button in a dialog. */
export function EditChannelForm(props: { channel: Channel; onSaved?: () => void; onCancel?: () => void }) {
  const { channel, onCancel } = props
  const [values, setValues] = useState<ChannelFormValues>({
    name: channel.name,
    description: channel.description ?? '',
    position: String(channel.position),
    logoUrl: channel.logoUrl,
  })
  const { requests } = useConfig()
  const [every, setEvery] = useState(String(channel.requestEvery ?? ''))
  const requestEvery = every === '' ? null : typedNumber(every)
  const form = useForm({
    check: () => channelProblem(values) ?? requestProblem(requestEvery),
    send: async () => {
      await channelActions.update(channel.id, {
        name: values.name.trim(),
        description: values.description.trim() || null,
        ...(values.position !== '' && { position: typedNumber(values.position) }),
        ...(values.logoUrl !== channel.logoUrl && { logoUrl: values.logoUrl }),
        ...(requestEvery !== channel.requestEvery && { requestEvery }),
      })
      toast({ title: 'Channel Updated', description: values.name.trim(), tone: 'success' })
      props.onSaved?.()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Failed to update channel.', text: 'Please try again.' }),
  })
  const save = (
    <SubmitButton
      form={form}
      disabled={values.name.trim() === ''}
      className={onCancel ? undefined : 'lg:col-span-2 lg:justify-self-start lg:px-8'}
    >
      Save
    </SubmitButton>
  )
  return (
    <Form form={form} {...(!onCancel && { className: 'grid items-start gap-4 lg:grid-cols-2' })}>
      <ChannelFields
        form={form}
        values={values}
        placeholder={String(channel.position)}
        onChange={setValues}
      />
      {requests && (
        <TextField
          label="Every n-th programme is a request"
          hint="While the channel has no schedule. With 4, three videos of the playlist are followed by a request of a viewer, if one waits. Empty: no requests."
          inputMode="numeric"
          autoComplete="off"
          placeholder="No requests"
          {...form.field('requestEvery')}
          value={every}
          onChange={(event) => setEvery(event.target.value)}
        />
      )}
      {onCancel ? <DialogActions onCancel={onCancel}>{save}</DialogActions> : save}
    </Form>
  )
}

function requestProblem(every: number | null): FieldProblem | undefined {
  const isValid = every === null || (every >= MIN_REQUEST_EVERY && every <= MAX_REQUEST_EVERY)
  if (isValid && (every === null || Number.isInteger(every))) return undefined
  return {
    field: 'requestEvery',
    description: `Enter a whole number from ${MIN_REQUEST_EVERY} to ${MAX_REQUEST_EVERY}, or nothing`,
  }
}

const MAX_NAME = 100

/** Copies a channel, with its settings, playlist and schedule, under a new name. The copy is off the air. */
export function CopyChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const [name, setName] = useState(`Copy of ${channel.name}`.slice(0, MAX_NAME))

  const form = useForm({
    send: async () => {
      const copy = await channelActions.create({ name: name.trim(), copyOf: channel.id })
      toast({ title: 'Channel Created', description: copy.name, tone: 'success' })
      onClose()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Failed to create channel.', text: 'Please try again.' }),
  })

  return (
    <Dialog
      title={`Copy ${channel.name}`}
      description="Copies the description, the shuffle setting, the playlist and the schedule (as a draft). The new channel starts off the air."
      isOpen
      onClose={onClose}
      width="narrow"
    >
      <Form form={form} className="grid gap-5">
        <TextField
          label="Name of the copy"
          maxLength={MAX_NAME}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} disabled={name.trim() === ''}>
            Copy Channel
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Confirms the deactivation of a channel and explains what viewers will see. */
export function DeactivateDialog(props: {
  channel: Channel
  channels: readonly Channel[]
  onConfirm: () => void
  onCancel: () => void
}) {
  const { channel } = props
  const { defaultChannelId } = useConfig()
  const others = props.channels
    .filter(({ id, isActive }) => isActive && id !== channel.id)
    .toSorted((a, b) => a.position - b.position)
  const nextId = liveChannelId(defaultChannelId, others)
  const next = others.find(({ id }) => id === nextId)
  return (
    <ConfirmDialog
      title={`Deactivate ${channel.name}?`}
      confirmLabel="Deactivate"
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <p>It will be removed from the TV guide and the channel list.</p>
      {channel.id === defaultChannelId && (
        <p className="text-text">
          {next ? (
            <>
              Live TV shows this channel. It will switch to <bdi>{next.name}</bdi>, also for current viewers.
            </>
          ) : (
            'Live TV shows this channel, and no other channel is active. Viewers will see “This channel is off the air.”'
          )}
        </p>
      )}
      {channel.id !== defaultChannelId && (
        <p className="text-text">Current viewers will see “This channel is off the air.”</p>
      )}
      <p>Its playlist and programme are kept. You can activate it again.</p>
    </ConfirmDialog>
  )
}
