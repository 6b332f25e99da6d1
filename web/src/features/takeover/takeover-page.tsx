import { useSearchParams } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ModeratorPage } from '../admin/moderator-page.tsx'
import { useChannelList } from './api.ts'
import { ChannelTakeover } from './channel-takeover.tsx'

/** Puts videos or a live stream on a channel immediately. `?channel=` opens the form of one channel. */
export function TakeoverPage() {
  return (
    <ModeratorPage
      title="Live Takeover"
      path={paths.takeover()}
      permission="takeovers:run"
      refusal="Only moderators can take over a channel."
    >
      <p className="max-w-prose text-muted">
        Put videos or a live stream on a channel immediately. When the takeover ends, the channel returns to
        its programme.
      </p>
      <Channels />
    </ModeratorPage>
  )
}

function Channels() {
  const { data: channels, error, mutate } = useChannelList()
  const [parameters, setParameters] = useSearchParams()
  const opened = parameters.get('channel')
  const open = (channelId: string | null) =>
    setParameters(channelId === null ? {} : { channel: channelId }, { replace: true })
  if (!channels) {
    if (error) return <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
    return (
      <div role="status" aria-label="Loading channels">
        <Skeleton className="h-40" />
      </div>
    )
  }
  if (channels.length === 0) return <EmptyNotice title="No channels yet" />
  return (
    <ul aria-label="Channels" className="divide-y divide-line rounded-lg border border-line/70 bg-panel">
      {channels.map((channel) => (
        <li key={channel.id}>
          <ChannelTakeover
            channel={channel}
            isOpen={channel.id === opened}
            onOpen={() => open(channel.id)}
            onClose={() => open(null)}
          />
        </li>
      ))}
    </ul>
  )
}
