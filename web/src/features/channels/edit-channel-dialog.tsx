import type { Channel } from '@looptide/contracts/http/channels'
import { typedNumber } from '@looptide/contracts/typed-text'
import { useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { showFailure } from '../admin/show-failure.ts'
import { channelActions } from './api.ts'
import { ChannelFields, channelProblem } from './channel-fields.tsx'

/** Dialog to edit a channel's name, description and position. */
export function EditChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const [values, setValues] = useState({
    name: channel.name,
    description: channel.description ?? '',
    position: String(channel.position),
  })
  const form = useForm({
    check: () => channelProblem(values),
    send: async () => {
      await channelActions.update(channel.id, {
        name: values.name.trim(),
        description: values.description.trim() || null,
        ...(values.position !== '' && { position: typedNumber(values.position) }),
      })
      toast({ title: 'Channel Updated', description: values.name.trim(), tone: 'success' })
      onClose()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Failed to update channel.', text: 'Please try again.' }),
  })
  return (
    <Dialog title={`Edit ${channel.name}`} isOpen onClose={onClose} width="narrow">
      <Form form={form}>
        <ChannelFields
          form={form}
          values={values}
          placeholder={String(channel.position)}
          onChange={setValues}
        />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} disabled={values.name.trim() === ''}>
            Save
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
