import { Suspense, useEffect, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { ChatSkeleton } from '../../features/chat/chat-skeleton.tsx'
import { ChatUnread } from '../../features/chat/chat-unread.tsx'
import { LiveView } from '../../features/live/live-view.tsx'
import type { LiveViewProps } from '../../features/live/live-view-props.ts'
import type { ViewPlace } from '../../features/live/picture-place.ts'
import { useLiveChannelId } from '../../lib/api/use-active-channels.ts'
import { useConfig } from '../../lib/api/use-config.ts'
import { holdLock } from '../../lib/browser/hold-lock.ts'
import { part } from '../../lib/browser/part.tsx'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'
import { LIVE_LOCK } from '../../lib/media/live-picture.ts'
import { paths } from '../../lib/paths.ts'
import { Spinner } from '../../ui/spinner.tsx'

const ChatPanel = part(async () => (await import('../../features/chat/chat-panel.tsx')).ChatPanel)
const LiveGuide = part(async () => (await import('./live-guide.tsx')).LiveGuide)
const LiveSearch = part(async () => (await import('./live-search.tsx')).LiveSearch)
const RequestsPanel = part(
  async () => (await import('../../features/requests/requests-panel.tsx')).RequestsPanel,
)
const PRELOADS = [LiveGuide, ChatPanel, LiveSearch].map(({ preload }) => preload)

/** The live page: the player with chat, guide and search. Or only its picture, in a place of another page. */
export function LivePage(props: Pick<LiveViewProps, 'place' | 'stage' | 'onClose'>) {
  const { place } = props
  const { isSettled, defaultChannelId, fallbackChannelId, youtubeBaseUrl } = useConfig()
  const liveChannelId = useLiveChannelId() ?? defaultChannelId
  const navigate = useNavigate()
  const location = useLocation()
  const state = (place === 'page' ? (location.state ?? {}) : {}) as { videoId?: string }
  const channelId = useWatchedChannel(place) ?? liveChannelId
  const isOpened = place !== 'home'
  useEffect(() => (isOpened ? holdLock(LIVE_LOCK, { mode: 'shared' }) : undefined), [isOpened])
  // This page stays visible until the next one has loaded. It must not navigate back in that time.
  const ifStillHere = (go: () => void) => window.location.pathname === location.pathname && go()
  // The address changes at once, the parameters only when the page is rendered again.
  const channelNow = () => new URLSearchParams(window.location.search).get('channel') ?? channelId
  const show = (channel: string) => {
    if (channel !== channelNow()) void navigate(paths.live({ channel }), { replace: true })
  }
  if (!isSettled) {
    return place !== 'page' ? null : (
      <main className="dark-surface fixed inset-0 grid place-items-center bg-black text-lg">
        <Spinner text="Connecting to 24/7 stream..." />
      </main>
    )
  }

  return (
    <LiveView
      {...props}
      channelId={channelId}
      defaultChannelId={liveChannelId}
      fallbackChannelId={fallbackChannelId}
      youtubeBaseUrl={youtubeBaseUrl}
      selectedVideoId={state.videoId}
      onSelectedTaken={() => ifStillHere(() => void navigate(location, { replace: true, state: null }))}
      onChannel={(channel) => ifStillHere(() => show(channel))}
      chat={(channelId, close, viewers, programmes) => (
        <PartBoundary onFailure={close}>
          <Suspense fallback={<ChatSkeleton />}>
            <ChatPanel key={channelId} {...{ channelId, viewers, programmes }} onClose={close} />
          </Suspense>
        </PartBoundary>
      )}
      chatUnread={(channelId, isOpen, id) => <ChatUnread channelId={channelId} isOpen={isOpen} id={id} />}
      guide={(guide) => <LiveGuide {...guide} />}
      search={(play, close) => <LiveSearch channelId={channelId} onPlay={play} onClose={close} />}
      requests={(search, close) => <RequestsPanel channelId={channelId} onSearch={search} onClose={close} />}
      preloads={PRELOADS}
    />
  )
}

/** The channel that the address of the live page asked for last; undefined if it never named one. */
function useWatchedChannel(place: ViewPlace): string | undefined {
  const [parameters] = useSearchParams()
  const asked = place === 'page' ? parameters.get('channel') : null
  const [watched, setWatched] = useState(asked)
  if (asked !== null && asked !== watched) setWatched(asked)
  return asked ?? watched ?? undefined
}
