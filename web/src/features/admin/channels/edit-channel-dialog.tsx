import type { Channel } from '@looptide/contracts/http/channels'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { channelActions } from './api.ts'
import { ChannelFields } from './channel-fields.tsx'

/** Another name, description or position. */
export function EditChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const [facts, setFacts] = useState({
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
        name: facts.name.trim(),
        description: facts.description.trim() || null,
        ...(facts.position !== '' && { position: Number(facts.position) }),
      })
      toast({ title: 'Channel Updated', description: facts.name.trim(), tone: 'success' })
      onClose()
    } catch (failure) {
      tellFailure(failure, { title: 'Failed to update channel.', text: 'Please try again.' })
      setBusy(false)
    }
  }
  return (
    <Dialog title={`Edit ${channel.name}`} isOpen onClose={onClose} width="narrow">
      <form onSubmit={(event) => void submit(event)} className="grid gap-4">
        <ChannelFields facts={facts} placeholder={String(channel.position)} onChange={setFacts} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" tone="primary" disabled={isBusy || facts.name.trim() === ''}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
