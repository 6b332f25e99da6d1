import type { Channel } from '@looptide/contracts/http/channels'
import { useSession } from '../../lib/session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { StatusBadge } from '../admin/status-badge.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { useViewers } from './api.ts'
import { ChannelList } from './channel-list.tsx'
import { useStreamControls } from './use-stream-controls.tsx'

/**
 * Channel and Stream Control (docs/product/admin.md §2): one line per channel with Start, Stop and Reset, for those who may use them.
 */
export function StreamControl() {
  const { may } = useSession()
  return may('channels:manage') ? <Control /> : null
}

function Control() {
  const channels = useChannels()
  const viewers = useViewers()
  return (
    <section aria-labelledby="stream-control" className="grid gap-4">
      <h3 id="stream-control" className="text-lg font-semibold">
        Channel and Stream Control
      </h3>
      <ChannelList
        channels={channels}
        className="divide-y divide-line rounded-lg border border-line/70 bg-panel"
      >
        {(channel) => <ControlLine channel={channel} viewers={viewers && (viewers.get(channel.id) ?? 0)} />}
      </ChannelList>
    </section>
  )
}

function ControlLine({ channel, viewers }: { channel: Channel; viewers: number | undefined }) {
  const controls = useStreamControls(channel, 'control')
  const { isBusy } = controls
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <legend className="sr-only">{channel.name}</legend>
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{channel.name}</p>
        <p className="text-sm text-muted tabular-nums">{viewers ?? '…'} watching</p>
      </div>
      <StatusBadge status={controls.status} />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" isBusy={isBusy} disabled={channel.status === 'live'} onClick={controls.start}>
          Start
        </Button>
        <Button isBusy={isBusy} disabled={channel.status === 'idle'} onClick={controls.confirmStop}>
          Stop
        </Button>
        <Button isBusy={isBusy} onClick={controls.confirmReset}>
          Reset
        </Button>
      </div>
      {controls.confirmation}
    </fieldset>
  )
}
