import type { Channel } from '@looptide/contracts/http/channels'
import { useConfig } from '../../lib/api/use-config.ts'
import { liveChannelId } from '../../lib/live-channel.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

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
