import type { Channel } from '@looptide/contracts/http/channels'
import type { ChannelLoop } from '@looptide/contracts/http/simulation'
import { useState } from 'react'
import { useConfig } from '../../../lib/api/use-config.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { showFailure } from '../shared/show-failure.ts'
import { STATUS_LABELS } from '../stream/status-labels.ts'
import { channelActions } from './api.ts'
import { CopyChannelDialog } from './copy-channel-dialog.tsx'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { EditChannelDialog } from './edit-channel-dialog.tsx'
import { ShortLoopWarning } from './short-loop-warning.tsx'

/**
 * A channel with its actions. `channels` are all channels, to find the one that replaces this one when it is
 * deactivated. `shortLoop` is the channel's loop if it is shorter than an hour.
 */
export function ChannelRow(props: {
  channel: Channel
  channels: readonly Channel[]
  shortLoop: ChannelLoop | undefined
}) {
  const { channel, channels, shortLoop } = props
  const { defaultChannelId } = useConfig()
  const [open, setOpen] = useState<ChannelDialog | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { id, name, description, position, isActive, status } = channel
  // Deactivating these affects viewers and needs a confirmation.
  const isWatched = id === defaultChannelId || status !== 'idle'

  const run = async (work: () => Promise<unknown>, success: string, failure: string) => {
    setBusy(true)
    try {
      await work()
      toast({ title: success, description: name, tone: 'success' })
    } catch (reason) {
      showFailure(reason, { title: failure, text: 'Please try again.' })
    } finally {
      setBusy(false)
    }
  }
  const toggle = () => {
    setOpen(null)
    return run(
      () => channelActions.update(id, { isActive: !isActive }),
      'Channel Updated',
      'Failed to update channel.',
    )
  }
  const remove = () => {
    setOpen(null)
    return run(() => channelActions.remove(id), 'Channel Deleted', 'Failed to delete channel.')
  }

  return (
    <li aria-label={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
      <span className="w-8 shrink-0 text-right text-sm text-muted tabular-nums" title="Position">
        {position}
      </span>
      <div className="grid min-w-48 flex-1 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="font-semibold break-words">{name}</span>
          <span
            className={classNames(
              'rounded-full border px-2.5 py-0.5 text-xs font-semibold',
              isActive ? 'border-accent text-text' : 'border-line text-muted',
            )}
          >
            {isActive ? '● Active' : '○ Inactive'}
          </span>
          <span className="text-sm text-muted">{STATUS_LABELS[status]}</span>
        </p>
        {description && <p className="line-clamp-2 text-sm text-muted">{description}</p>}
        {shortLoop && <ShortLoopWarning loop={shortLoop} />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          disabled={isBusy}
          onClick={() => (isActive && isWatched ? setOpen('deactivate') : void toggle())}
        >
          {isActive ? 'Deactivate' : 'Activate'}
        </Button>
        <Button disabled={isBusy} onClick={() => setOpen('edit')}>
          Edit
        </Button>
        <Button disabled={isBusy} onClick={() => setOpen('copy')}>
          Copy
        </Button>
        {id !== defaultChannelId && (
          <Button disabled={isBusy} icon="remove" onClick={() => setOpen('delete')}>
            Delete
          </Button>
        )}
      </div>
      <ChannelDialogs
        open={open}
        channel={channel}
        channels={channels}
        onToggle={() => void toggle()}
        onDelete={() => void remove()}
        onClose={() => setOpen(null)}
      />
    </li>
  )
}

type ChannelDialog = 'edit' | 'copy' | 'delete' | 'deactivate'

function ChannelDialogs(props: {
  open: ChannelDialog | null
  channel: Channel
  channels: readonly Channel[]
  onToggle: () => void
  onDelete: () => void
  onClose: () => void
}) {
  const { channel, onClose } = props
  switch (props.open) {
    case 'edit':
      return <EditChannelDialog channel={channel} onClose={onClose} />
    case 'copy':
      return <CopyChannelDialog channel={channel} onClose={onClose} />
    case 'deactivate':
      return (
        <DeactivateDialog
          channel={channel}
          channels={props.channels}
          onConfirm={props.onToggle}
          onCancel={onClose}
        />
      )
    case 'delete':
      return (
        <ConfirmDialog
          title={`Delete ${channel.name}?`}
          confirmLabel="Delete channel"
          onConfirm={props.onDelete}
          onCancel={onClose}
        >
          <p>Its playlist, programme and history are deleted as well. This cannot be undone.</p>
          {channel.status !== 'idle' && <p>It is on the air. Viewers will see it go off the air.</p>}
        </ConfirmDialog>
      )
    case null:
      return null
  }
}
