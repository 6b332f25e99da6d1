import type { Channel } from '@looptide/contracts/http/channels'
import type { ChannelLoop } from '@looptide/contracts/http/simulation'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useConfig } from '../../lib/api/use-config.ts'
import { paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { toast } from '../../ui/toast.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { STATUS_LABELS } from '../admin/status-badge.tsx'
import { useAction } from '../admin/use-action.ts'
import { channelActions } from './api.ts'
import { CopyChannelDialog } from './copy-channel-dialog.tsx'
import { DeactivateDialog } from './deactivate-dialog.tsx'
import { EditChannelDialog } from './edit-channel-dialog.tsx'

/**
 * A channel with its actions. `channels` are all channels, to find the one that replaces this one when it is
 * deactivated. `shortLoop` is the channel's loop if it is shorter than an hour.
 */
export function ChannelRow(props: {
  channel: Channel
  channels: readonly Channel[]
  shortLoop: ChannelLoop | undefined
}) {
  const { channel, shortLoop } = props
  const { name, description, position, isActive, status } = channel
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
      <ChannelActions channel={channel} channels={props.channels} />
    </li>
  )
}

/** The buttons of a channel and their dialogs. */
function ChannelActions({ channel, channels }: { channel: Channel; channels: readonly Channel[] }) {
  const { defaultChannelId } = useConfig()
  const [open, setOpen] = useState<'edit' | 'copy' | 'deactivate'>()
  const { confirm, confirmation } = useConfirm()
  const { isBusy, toggle, remove } = useChannelActions(channel)
  const { id, isActive, status } = channel
  // Deactivating these affects viewers and needs a confirmation.
  const isWatched = id === defaultChannelId || status !== 'idle'
  const close = () => setOpen(undefined)
  const confirmRemove = () =>
    confirm({
      title: `Delete ${channel.name}?`,
      confirmLabel: 'Delete channel',
      text: (
        <>
          <p>Its playlist, programme and history are deleted as well. This cannot be undone.</p>
          {status !== 'idle' && <p>It is on the air. Viewers will see it go off the air.</p>}
        </>
      ),
      onConfirm: remove,
    })

  return (
    <div className="flex flex-wrap gap-2">
      <Button isBusy={isBusy} onClick={() => (isActive && isWatched ? setOpen('deactivate') : void toggle())}>
        {isActive ? 'Deactivate' : 'Activate'}
      </Button>
      <Link
        to={paths.schedule({ channel: id })}
        className={buttonClass('quiet')}
        aria-label={`Schedule of ${channel.name}`}
      >
        Schedule
      </Link>
      <Button isBusy={isBusy} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Button isBusy={isBusy} onClick={() => setOpen('copy')}>
        Copy
      </Button>
      {id !== defaultChannelId && (
        <Button isBusy={isBusy} icon="remove" onClick={confirmRemove}>
          Delete
        </Button>
      )}
      {open === 'edit' && <EditChannelDialog channel={channel} onClose={close} />}
      {open === 'copy' && <CopyChannelDialog channel={channel} onClose={close} />}
      {open === 'deactivate' && (
        <DeactivateDialog
          channel={channel}
          channels={channels}
          onConfirm={() => {
            close()
            void toggle()
          }}
          onCancel={close}
        />
      )}
      {confirmation}
    </div>
  )
}

function useChannelActions({ id, name, isActive }: Channel) {
  const { isBusy, run } = useAction()
  const change = async (work: () => Promise<unknown>, done: string, failed: string) => {
    const isDone = await run(work, { title: failed, text: 'Please try again.' })
    if (isDone) toast({ title: done, description: name, tone: 'success' })
  }
  return {
    isBusy,
    toggle: () =>
      change(
        () => channelActions.update(id, { isActive: !isActive }),
        'Channel Updated',
        'Failed to update channel.',
      ),
    remove: () => change(() => channelActions.remove(id), 'Channel Deleted', 'Failed to delete channel.'),
  }
}
