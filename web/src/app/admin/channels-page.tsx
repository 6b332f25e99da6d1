import type { Channel } from '@looptide/contracts/http/channels'
import { type ReactNode, Suspense } from 'react'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { AdminGate, Denied } from '../../features/admin/admin-gate.tsx'
import { useDraftsReady, useOpenDrafts } from '../../features/admin/drafts/account-drafts.ts'
import { UnsavedLine } from '../../features/admin/drafts/unsaved-line.tsx'
import { lazyPart, usePreload } from '../../features/admin/lazy-part.ts'
import { useChannels } from '../../features/admin/use-channels.ts'
import { ChannelActions } from '../../features/channels/channel-actions.tsx'
import { EditChannelForm } from '../../features/channels/channel-dialogs.tsx'
import { ChannelManager } from '../../features/channels/channel-manager.tsx'
import { usePlannedUntil, useViewers } from '../../features/operations/api.ts'
import { ChannelCard } from '../../features/operations/channel-card.tsx'
import { useConfig } from '../../lib/api/use-config.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { numberText } from '../../lib/count-text.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { ChannelLogo } from '../../ui/channel-logo.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { ScrollingTabs } from '../../ui/scrolling-tabs.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const PlaylistEditor = lazyPart(
  async () => (await import('../../features/channels/playlist-editor.tsx')).PlaylistEditor,
)
const ChannelSchedule = lazyPart(
  async () => (await import('../../features/schedule/channel-schedule.tsx')).ChannelSchedule,
)
const AiringReportPanel = lazyPart(
  async () => (await import('../../features/airings/airing-report.tsx')).AiringReportPanel,
)
const ChannelRequests = lazyPart(
  async () => (await import('../../features/requests/channel-requests.tsx')).ChannelRequests,
)
const SimulationPanel = lazyPart(
  async () => (await import('../../features/channels/simulation-panel.tsx')).SimulationPanel,
)
const ChatPanel = lazyPart(async () => (await import('../../features/chat/chat-panel.tsx')).ChatPanel)

/**
 * Everything about one channel: what is on, its playlist, schedule, chat and settings, as far as the role allows. Without
 * an id in the address, the list of channels, for those who create and change them.
 */
export function ChannelsPage() {
  const { id } = useParams()
  return (
    <AdminGate place="admin dashboard" permission="schedules:edit">
      <main
        id="main"
        className="mx-auto grid w-full max-w-[110rem] grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-4 sm:px-6 sm:py-6"
      >
        {id === undefined ? <ChannelList /> : <LoadedChannel id={id} />}
      </main>
    </AdminGate>
  )
}

function ChannelList() {
  const { may } = useSession()
  usePageTitle('Channels')
  if (!may('channels:manage')) return <Denied place="admin dashboard" />
  return (
    <>
      <Header title="Channels" back={{ to: paths.admin('channels'), text: 'Admin Dashboard' }} />
      <ChannelManager />
    </>
  )
}

function LoadedChannel({ id }: { id: string }) {
  const { may } = useSession()
  usePreload()
  useOpenDrafts()
  const { data, error, mutate } = useChannels()
  const channel = data?.items.find((candidate) => candidate.id === id)
  usePageTitle(channel?.name ?? 'Channel')
  return (
    <>
      <Header
        title={channel?.name ?? 'Channel'}
        end={channel && <Watching channelId={channel.id} />}
        back={{
          to: may('channels:manage') ? paths.channels() : paths.admin('channels'),
          text: 'Channels',
        }}
      >
        {channel && <ChannelLogo name={channel.name} url={channel.logoUrl} />}
      </Header>
      {channel && data ? (
        <ChannelTabs key={channel.id} channel={channel} channels={data.items} />
      ) : data ? (
        <EmptyNotice title="No such channel">It may have been deleted.</EmptyNotice>
      ) : error ? (
        <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
      ) : (
        <div role="status" aria-label="Loading channel">
          <Skeleton className="h-96" />
        </div>
      )}
    </>
  )
}

function Header(props: {
  title: string
  back: { to: string; text: string }
  /** Before the title. */
  children?: ReactNode
  /** After the title. */
  end?: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <Link to={props.back.to} className={buttonClass('quiet', 'max-sm:size-11 max-sm:p-0')}>
        <Icon name="back" />
        <span className="max-sm:sr-only">{props.back.text}</span>
      </Link>
      {props.children}
      <h1 className="min-w-0 flex-1 basis-40 text-2xl font-semibold wrap-anywhere">{props.title}</h1>
      {props.end}
      <UnsavedLine />
    </div>
  )
}

type View = 'now' | 'playlist' | 'schedule' | 'chat' | 'requests' | 'reports' | 'settings'

interface ChannelProps {
  channel: Channel
  /** All channels. */
  channels: readonly Channel[]
}

/** The tabs; the open one is in the address as `view`, because the schedule has tabs of its own in `tab`. */
function ChannelTabs({ channel, channels }: ChannelProps) {
  const { may } = useSession()
  const { requests } = useConfig()
  const [parameters, setParameters] = useSearchParams()
  const tabs: { id: View; label: string; content: ReactNode }[] = [
    { id: 'now', label: 'On now', content: <OnNow channel={channel} /> },
    { id: 'playlist', label: 'Playlist', content: <Playlist channel={channel} /> },
    { id: 'schedule', label: 'Schedule', content: <Schedule channel={channel} /> },
    { id: 'chat', label: 'Chat', content: <Chat channel={channel} /> },
    ...(requests
      ? [{ id: 'requests' as const, label: 'Requests', content: <ChannelRequests channel={channel} /> }]
      : []),
    { id: 'reports', label: 'Reports', content: <AiringReportPanel channel={channel} /> },
  ]
  if (may('channels:manage')) {
    const content = <Settings channel={channel} channels={channels} />
    tabs.push({ id: 'settings', label: 'Settings', content })
  }
  const shown = tabs.find(({ id }) => id === parameters.get('view'))?.id ?? 'now'
  return (
    <ScrollingTabs<View>
      label={channel.name}
      value={shown}
      onChange={(view) => setParameters({ view }, { replace: true, preventScrollReset: true })}
      listClassName="*:px-4 sm:w-fit"
      tabs={tabs.map((tab) => ({
        ...tab,
        content: (
          <>
            {/* For the outline of the page: the parts that are shown begin with headings of the third level. */}
            <h2 className="sr-only">{tab.label}</h2>
            <Suspense fallback={<Spinner text="Loading..." className="text-muted" />}>{tab.content}</Suspense>
          </>
        ),
      }))}
    />
  )
}

/** What is simulated: the channel as it is. */
const NO_CHANGES = {}
/** Two columns where there is room for them. */
const COLUMNS = 'grid items-start gap-4 grid-cols-[minmax(0,1fr)] lg:grid-cols-2'

const OnNow = ({ channel }: { channel: Channel }) => (
  <div className={COLUMNS}>
    <OnAirCard channel={channel} />
    <SimulationPanel channel={channel} changes={NO_CHANGES} />
  </div>
)

/** Without the warning of a short loop, which the preview and the playlist show. */
function OnAirCard({ channel }: { channel: Channel }) {
  const plannedUntil = usePlannedUntil()
  return (
    <ChannelCard
      channel={channel}
      // In the page's header.
      viewers={null}
      plannedUntilMs={plannedUntil?.get(channel.id)}
      shortLoop={undefined}
    />
  )
}

/** How many watch the channel now, whatever tab is open. */
function Watching({ channelId }: { channelId: string }) {
  const viewers = useViewers()
  return (
    <p className="text-sm whitespace-nowrap text-muted tabular-nums">
      {viewers ? numberText(viewers.get(channelId) ?? 0) : '…'} watching
    </p>
  )
}

function Playlist({ channel }: { channel: Channel }) {
  if (!channel.isActive)
    return <EmptyNotice title="This channel is inactive">Activate it in Settings.</EmptyNotice>
  return (
    <div className="@container grid gap-4">
      <PlaylistEditor channel={channel} />
    </div>
  )
}

function Schedule({ channel }: { channel: Channel }) {
  const isReady = useDraftsReady()
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {isReady ? <ChannelSchedule channel={channel} /> : <Skeleton className="h-[36rem]" />}
    </div>
  )
}

function Chat({ channel }: { channel: Channel }) {
  return (
    <div className={COLUMNS}>
      <div className="h-[44rem] max-h-[75dvh] overflow-hidden rounded-lg border border-line/70">
        <ChatPanel channelId={channel.id} />
      </div>
      <OnAirCard channel={channel} />
    </div>
  )
}

function Settings({ channel, channels }: ChannelProps) {
  return (
    <div className="grid gap-4">
      <div className="rounded-lg border border-line/70 bg-panel p-5">
        <EditChannelForm channel={channel} />
      </div>
      <ChannelActions channel={channel} channels={channels} isOnPage />
    </div>
  )
}
