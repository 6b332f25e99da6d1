import type { Channel } from '@looptide/contracts/http/channels'
import { useSession } from '../../../lib/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { useChannels, useViewers } from './api.ts'
import { ChannelList } from './channel-list.tsx'
import { StatusBadge } from './status-badge.tsx'
import { useStreamSwitches } from './use-stream-switches.tsx'

/** Channel and Stream Control (docs/product/admin.md §2): offline ⇄ live, in one line per channel. Admins only. */
export function StreamControl() {
  const { isAdmin } = useSession()
  return isAdmin ? <Control /> : null
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
  const switches = useStreamSwitches(channel, 'control')
  const { isBusy } = switches
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <legend className="sr-only">{channel.name}</legend>
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{channel.name}</p>
        <p className="text-sm text-muted tabular-nums">{viewers ?? '…'} watching</p>
      </div>
      <StatusBadge status={switches.status} />
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" disabled={isBusy || channel.status === 'live'} onClick={switches.start}>
          Start
        </Button>
        <Button disabled={isBusy || channel.status === 'idle'} onClick={switches.askToStop}>
          Stop
        </Button>
        <Button disabled={isBusy} onClick={switches.askToReset}>
          Reset
        </Button>
      </div>
      {switches.question}
    </fieldset>
  )
}
