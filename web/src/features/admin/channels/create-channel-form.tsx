import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { channelActions } from './api.ts'
import { type ChannelFacts, ChannelFields } from './channel-fields.tsx'

const EMPTY: ChannelFacts = { name: '', description: '', position: '' }

/** A new channel; without a position it comes after all others (docs/product/admin.md §5). */
export function CreateChannelForm({ channelCount }: { channelCount: number | undefined }) {
  const [facts, setFacts] = useState(EMPTY)
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const { name } = await channelActions.create({
        name: facts.name.trim(),
        description: facts.description.trim() || null,
        position: Number(facts.position) || (channelCount ?? 0) + 1,
      })
      toast({ title: 'Channel Created', description: name, tone: 'success' })
      setFacts(EMPTY)
    } catch (failure) {
      tellFailure(failure, { title: 'Failed to create channel.', text: 'Please try again.' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <form
      onSubmit={(event) => void submit(event)}
      className="grid gap-4 rounded-lg border border-line/70 bg-panel p-5"
    >
      <h3 className="font-semibold">New channel</h3>
      <ChannelFields
        facts={facts}
        placeholder={channelCount === undefined ? undefined : String(channelCount + 1)}
        onChange={setFacts}
      />
      <Button type="submit" tone="primary" icon="plus" disabled={isBusy || facts.name.trim() === ''}>
        Create Channel
      </Button>
    </form>
  )
}
