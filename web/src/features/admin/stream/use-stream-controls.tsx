import type { Channel, StreamStatus } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { type StreamVariant, useStreamActions } from './stream-actions.ts'
import { type ConfirmedAction, StreamConfirmation } from './stream-confirmation.tsx'

/** Controls of a channel's stream. `confirmation` is the dialog of an action that waits for confirmation. */
export function useStreamControls(channel: Channel, variant: StreamVariant) {
  const { busyWith, run } = useStreamActions(channel.id, variant)
  const [pending, setPending] = useState<ConfirmedAction | null>(null)
  const status: StreamStatus = busyWith === 'start' ? 'syncing' : channel.status
  return {
    /** Shows "syncing" as soon as a start is requested, before the server reports it. */
    status,
    isBusy: busyWith !== null || channel.status === 'syncing',
    /** Starts the channel; asks for confirmation first if it is live. */
    start: () => (channel.status === 'live' ? setPending('restart') : void run('start')),
    confirmStop: () => setPending('stop'),
    confirmReset: () => setPending('reset'),
    confirmation: pending && (
      <StreamConfirmation
        action={pending}
        channelName={channel.name}
        onCancel={() => setPending(null)}
        onConfirm={() => {
          setPending(null)
          void run(pending === 'restart' ? 'start' : pending)
        }}
      />
    ),
  }
}
