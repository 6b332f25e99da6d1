import type { Channel } from '@looptide/contracts/http/channels'
import type { Permission } from '@looptide/contracts/permissions'
import { useState } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useShortLoops } from '../admin/short-loops.tsx'
import { StatusBadge } from '../admin/status-badge.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { usePlannedUntil, useViewers } from './api.ts'
import { ChannelCard } from './channel-card.tsx'
import { ChannelList } from './channel-list.tsx'
import { DeadLetters } from './dead-letters/dead-letters.tsx'
import { HealthBoard } from './health/health-board.tsx'
import { MetadataQueue } from './metadata/metadata-queue.tsx'
import { QuarantineTab } from './quarantine/quarantined-videos.tsx'
import { useStreamControls } from './use-stream-controls.tsx'

type ManagerTab = 'streams' | 'control' | 'quarantine' | 'metadata' | 'dead-letters' | 'health'

const TABS: readonly (Tab<ManagerTab> & { permission: Permission })[] = [
  { id: 'streams', label: 'Streams', permission: 'schedules:edit', content: <Streams /> },
  { id: 'control', label: 'Control', permission: 'channels:manage', content: <StreamControl /> },
  { id: 'quarantine', label: 'Quarantine', permission: 'schedules:edit', content: <QuarantineTab /> },
  { id: 'metadata', label: 'Metadata', permission: 'videos:edit', content: <MetadataQueue /> },
  { id: 'dead-letters', label: 'Dead Letters', permission: 'system:operate', content: <DeadLetters /> },
  { id: 'health', label: 'Health', permission: 'system:operate', content: <HealthBoard /> },
]

/**
 * 24/7 Stream Manager: channels and their streams, quarantine, metadata, dead letters and health, as far as the role
 * allows.
 */
export function StreamManager() {
  const { may } = useSession()
  const [tab, setTab] = useState<ManagerTab>('streams')
  const tabs = TABS.filter(({ permission }) => may(permission))
  if (tabs.length === 0) return null
  return (
    <section aria-labelledby="stream-manager" className="grid min-w-0 gap-4">
      <h2 id="stream-manager" className="text-xl font-semibold">
        24/7 Stream Manager
      </h2>
      <Tabs
        label="24/7 Stream Manager"
        tabs={tabs}
        value={tab}
        onChange={setTab}
        listClassName="flex-wrap *:px-3 sm:w-fit"
      />
    </section>
  )
}

function Streams() {
  const channels = useChannels()
  const viewers = useViewers()
  const plannedUntil = usePlannedUntil()
  const shortLoops = useShortLoops()
  return (
    <ChannelList channels={channels} className="grid gap-4 lg:grid-cols-2">
      {(channel) => (
        <ChannelCard
          channel={channel}
          viewers={viewers && (viewers.get(channel.id) ?? 0)}
          plannedUntilMs={plannedUntil?.get(channel.id)}
          shortLoop={shortLoops.get(channel.id)}
        />
      )}
    </ChannelList>
  )
}

/**
 * Channel and Stream Control (docs/product/admin.md §2): one line per channel with Start, Stop and Reset, for those who may use them.
 */
function StreamControl() {
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
