import type { Channel } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useConfig } from '../../lib/api/use-config.ts'
import { useAction } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { channelActions } from './api.ts'
import { CopyChannelDialog, DeactivateDialog, EditChannelDialog } from './channel-dialogs.tsx'

/**
 * The buttons of a channel and their dialogs; on its page without those that lead there. `channels` are all channels, to
 * find the one that replaces this one when it is deactivated.
 */
export function ChannelActions(props: {
  channel: Channel
  channels: readonly Channel[]
  isOnPage?: boolean
}) {
  const { channel, channels, isOnPage = false } = props
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
      <Button
        isBusy={isBusy}
        className="min-w-28"
        onClick={() => (isActive && isWatched ? setOpen('deactivate') : void toggle())}
      >
        {isActive ? 'Deactivate' : 'Activate'}
      </Button>
      {!isOnPage && (
        <>
          {' '}
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
        </>
      )}
      <Button isBusy={isBusy} onClick={() => setOpen('copy')}>
        Copy
      </Button>
      {id === defaultChannelId ? (
        // Takes the place of Delete, so that the buttons of all rows are aligned.
        !isOnPage && <span className="w-29 @max-4xl:hidden" />
      ) : (
        <Button isBusy={isBusy} icon="remove" className="min-w-29" onClick={confirmRemove}>
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
