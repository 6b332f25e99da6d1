import type { Permission } from '@looptide/contracts/permissions'
import { useState } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { useShortLoops } from '../admin/short-loops.tsx'
import { useChannels } from '../admin/use-channels.ts'
import { usePlannedUntil, useViewers } from './api.ts'
import { ChannelCard } from './channel-card.tsx'
import { ChannelList } from './channel-list.tsx'
import { DeadLetters } from './dead-letters/dead-letters.tsx'
import { HealthBoard } from './health/health-board.tsx'
import { MetadataQueue } from './metadata/metadata-queue.tsx'
import { QuarantineTab } from './quarantine/quarantined-videos.tsx'
import { StreamControl } from './stream-control.tsx'

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
