import type { Channel } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { showFailure } from '../admin/show-failure.ts'
import { channelActions } from './api.ts'

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
