import { type ReactNode, useEffect, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { ChannelSwitcher } from './channel-switcher.tsx'
import { LiveInfo } from './live-info.tsx'
import { LiveStage } from './live-stage.tsx'
import { LiveTopBar } from './live-top-bar.tsx'
import { PictureCover } from './picture-cover.tsx'
import { SwitchingOverlay, Unavailable, YoutubeNotice } from './stage-messages.tsx'
import { SyncPanel } from './sync-panel.tsx'
import { useActivity } from './use-activity.ts'
import { type LivePageState, useLivePage } from './use-live-page.ts'

export type LiveViewProps = {
  channelId: string
  defaultChannelId: string
  fallbackChannelId: string
  youtubeBaseUrl: string
  /** A video chosen elsewhere, to be played for this viewer alone. */
  selectedVideoId: string | undefined
  onChannel: (channelId: string) => void
  chat: (channelId: string, close: () => void) => ReactNode
  /** `watch` shows a channel live, whatever is playing now, and closes the guide. */
  guide: (channelId: string, close: () => void, watch: (channelId: string) => void) => ReactNode
  search: (play: (videoId: string) => void, close: () => void) => ReactNode
}

/** The page around the picture: what is on, what comes next, and the ways to everything else. */
export function LiveView(props: LiveViewProps) {
  const page = useLivePage(props)
  const isActive = useActivity()
  const { isFullscreen } = page.fullscreen
  return (
    <main
      id="main"
      data-fullscreen={isFullscreen}
      className={classNames(
        'stage fixed inset-0 flex flex-col bg-black lg:flex-row',
        isFullscreen && !isActive && 'cursor-none',
      )}
    >
      <div className="relative flex min-h-0 flex-col lg:flex-1 overlay:flex-1">
        <LiveTopBar page={page} isActive={isActive} />
        <Picture page={page} isActive={isActive} channelId={props.channelId} />
        {page.isYoutubeBlocked && (
          <YoutubeNotice onRetry={page.retryYoutube} onDismiss={page.dismissYoutube} />
        )}
        <LiveInfo page={page} isActive={isActive} channelId={props.channelId} />
      </div>
      {page.isChatOpen && (
        <aside className="min-h-0 flex-1 border-line lg:w-88 lg:flex-none lg:border-l">
          {props.chat(props.channelId, () => page.setChatOpen(false))}
        </aside>
      )}
      <Panels page={page} props={props} />
    </main>
  )
}

type PartProps = { page: LivePageState; isActive: boolean; channelId: string }

function Picture({ page, isActive, channelId }: PartProps) {
  const isSwitching = useSwitching(channelId)
  return (
    <div className="relative aspect-video min-h-50 w-full shrink-0 lg:aspect-auto lg:min-h-0 lg:flex-1 lg:shrink overlay:aspect-auto overlay:min-h-0 overlay:flex-1">
      <LiveStage
        session={page.session}
        notice={page.isUnavailable ? () => <Unavailable onRetry={page.retryConnection} /> : undefined}
      />
      {!page.isUnavailable && <PictureCover isActive={isActive} onDoubleClick={page.fullscreen.toggle} />}
      {isSwitching && <SwitchingOverlay />}
    </div>
  )
}

function Panels({ page, props }: { page: LivePageState; props: LiveViewProps }) {
  const { panel, closePanel } = page
  if (panel === 'guide') return props.guide(props.channelId, closePanel, page.switchTo)
  if (panel === 'search') return props.search(page.selectVideo, closePanel)
  if (panel === 'channels') {
    return (
      <ChannelSwitcher
        channels={page.channels}
        currentId={props.channelId}
        onSwitch={page.switchTo}
        onClose={closePanel}
      />
    )
  }
  if (panel === 'sync') return <SyncPanel page={page} />
  return null
}

/** Viewer specification §9. */
const SWITCH_OVERLAY_MS = 500

/** True for half a second after the channel changed. */
function useSwitching(channelId: string): boolean {
  const [settledId, setSettledId] = useState(channelId)
  useEffect(() => {
    const timer = setTimeout(() => setSettledId(channelId), SWITCH_OVERLAY_MS)
    return () => clearTimeout(timer)
  }, [channelId])
  return settledId !== channelId
}
