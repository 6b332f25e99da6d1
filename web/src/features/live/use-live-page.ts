import { useState } from 'react'
import { realtime, serverClock } from '../../lib/clients.ts'
import { useRemoteActions } from '../../lib/remote-actions.tsx'
import { useSession } from '../../lib/session.tsx'
import { toast } from '../../ui/toast.ts'
import { reportPlayback, useActiveChannels, useServerStatus } from './api.ts'
import type { LiveViewProps } from './live-view.tsx'
import { useChannel } from './use-channel.ts'
import { useFullscreen } from './use-fullscreen.ts'
import { useLiveSession } from './use-live-session.ts'
import { useSelectedVideo } from './use-selected-video.ts'

export type LivePanel = 'guide' | 'search' | 'channels' | 'sync'
export type LivePageState = ReturnType<typeof useLivePage>

/** Where there is room under the picture there might as well be the chat. */
const isPortrait = (): boolean => window.matchMedia('(max-aspect-ratio: 1/1)').matches

/** Everything the live page knows and can do, without what it looks like. */
export function useLivePage(props: LiveViewProps) {
  const { channelId, onChannel } = props
  const mayHear = useSession().status === 'signed-in'
  const channel = useChannel(channelId)
  const server = useServerStatus()
  const channels = useActiveChannels().data ?? []
  const [isChatOpen, setChatOpen] = useState(isPortrait)
  const [panel, setPanel] = useState<LivePanel | null>(null)
  const [isYoutubeBlocked, setYoutubeBlocked] = useState(false)
  const fullscreen = useFullscreen(() => setChatOpen(false))

  const session = useLiveSession({
    youtubeBaseUrl: props.youtubeBaseUrl,
    programmes: channel.timeline?.programmes,
    audioAllowed: mayHear,
    serverNowMs: serverClock.nowMs,
    onProgrammesNeeded: channel.topUp,
    onUnplayable: ({ videoId }, _kind, errorCode) => reportPlayback(channelId, { videoId, errorCode }),
    onDuration: ({ videoId }, durationMs) =>
      reportPlayback(channelId, { videoId, durationMs: Math.round(durationMs) }),
    onUnreachable: (kind) => {
      if (kind !== 'youtube') return
      setYoutubeBlocked(true)
      if (channelId !== props.fallbackChannelId) onChannel(props.fallbackChannelId)
    },
  })

  const switchTo = (id: string) => {
    setPanel(null)
    session.backToLive()
    if (id !== channelId) onChannel(id)
  }
  useRemoteActions({
    guide: () => setPanel('guide'),
    channel: (step) => {
      const index = channels.findIndex(({ id }) => id === channelId)
      const next = channels.at((index + step) % channels.length)
      if (next) switchTo(next.id)
    },
  })

  return {
    mayHear,
    channel,
    channels,
    session,
    serverStatus: server.status,
    fullscreen,
    isChatOpen,
    setChatOpen,
    panel,
    setPanel,
    closePanel: () => setPanel(null),
    switchTo,
    selectVideo: useSelectedVideo(session, props.selectedVideoId),
    isYoutubeBlocked,
    isUnavailable: !channel.timeline && channel.hasFailed,
    dismissYoutube: () => setYoutubeBlocked(false),
    retryYoutube: () => {
      setYoutubeBlocked(false)
      if (channelId === props.defaultChannelId) session.retryNow()
      else onChannel(props.defaultChannelId)
    },
    retryConnection: () => {
      toast({ title: 'Reconnecting' })
      realtime.reconnectNow()
      channel.refresh()
      server.check()
      session.retryNow()
    },
  }
}
