import type { Channel } from '@looptide/contracts/http/channels'
import { liveChannelId } from '../../../lib/live-channel.ts'
import { useConfig } from '../../../lib/use-config.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'

/** Says what viewers will see before a channel is deactivated. */
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
      <p>It disappears from the TV guide and from the list of channels.</p>
      {channel.id === defaultChannelId && (
        <p className="text-text">
          {next
            ? `It is the channel that Live TV shows. Live TV will show ${next.name} instead, also to those who are watching now.`
            : 'It is the channel that Live TV shows, and no other channel is active. Viewers of Live TV will see “This channel is off the air.”'}
        </p>
      )}
      {channel.id !== defaultChannelId && (
        <p className="text-text">Those who are watching it will see “This channel is off the air.”</p>
      )}
      <p>Its playlist and its programme are kept. Activate brings it back.</p>
    </ConfirmDialog>
  )
}
