import type { Channel } from '@looptide/contracts/http/channels'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { showFailure } from '../shared/show-failure.ts'
import { channelActions } from './api.ts'
import { ChannelFields } from './channel-fields.tsx'

/** Dialog to edit a channel's name, description and position. */
export function EditChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const [values, setValues] = useState({
    name: channel.name,
    description: channel.description ?? '',
    position: String(channel.position),
  })
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      await channelActions.update(channel.id, {
        name: values.name.trim(),
        description: values.description.trim() || null,
        ...(values.position !== '' && { position: Number(values.position) }),
      })
      toast({ title: 'Channel Updated', description: values.name.trim(), tone: 'success' })
      onClose()
    } catch (failure) {
      showFailure(failure, { title: 'Failed to update channel.', text: 'Please try again.' })
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Edit ${channel.name}`} isOpen onClose={onClose} width="narrow">
      <form onSubmit={(event) => void submit(event)} className="grid gap-4">
        <ChannelFields values={values} placeholder={String(channel.position)} onChange={setValues} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={isBusy || values.name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
