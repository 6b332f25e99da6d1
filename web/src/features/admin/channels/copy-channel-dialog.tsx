import type { Channel } from '@looptide/contracts/http/channels'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { showFailure } from '../shared/show-failure.ts'
import { channelActions } from './api.ts'

const MAX_NAME = 100

/** Copies a channel, with its settings and playlist, under a new name. The copy is off the air. */
export function CopyChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const [name, setName] = useState(`Copy of ${channel.name}`.slice(0, MAX_NAME))
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const copy = await channelActions.create({ name: name.trim(), copyOf: channel.id })
      toast({ title: 'Channel Created', description: copy.name, tone: 'success' })
      onClose()
    } catch (failure) {
      showFailure(failure, { title: 'Failed to create channel.', text: 'Please try again.' })
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={`Copy ${channel.name}`}
      description="Copies the description, shuffle setting and playlist. The copy starts off the air."
      isOpen
      onClose={onClose}
      width="narrow"
    >
      <form onSubmit={(event) => void submit(event)} className="grid gap-5">
        <TextField
          label="Name of the copy"
          maxLength={MAX_NAME}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={isBusy || name.trim() === ''}>
            Copy Channel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
