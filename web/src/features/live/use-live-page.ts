import type { Programme } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { realtime } from '../../lib/clients.ts'
import { useRemoteActions } from '../../lib/remote-actions.ts'
import { useSession } from '../../lib/session.tsx'
import { useActiveChannels } from '../../lib/use-active-channels.ts'
import { useWakeLock } from '../../lib/use-wake-lock.ts'
import { LIVE_WAKE_LOCK } from '../../lib/wake-lock.ts'
import { toast } from '../../ui/toast.ts'
import { useServerStatus } from './api.ts'
import type { LiveViewProps } from './live-view.tsx'
import { useChannel } from './use-channel.ts'
import { useFullscreen } from './use-fullscreen.ts'
import { useLiveState } from './use-live-session.ts'
import { useOrientationLock } from './use-orientation-lock.ts'
import { usePicture } from './use-picture.ts'
import { useProgrammeTitle } from './use-programme-title.ts'
import { useSelectedVideo } from './use-selected-video.ts'
import { useSound } from './use-sound.ts'

export type LivePanel = 'guide' | 'search' | 'channels' | 'sync'
/** The installed app's shortcut to the guide leads to `/live?open=guide`. */
const panelAskedFor = (): LivePanel | null =>
  new URLSearchParams(window.location.search).get('open') === 'guide' ? 'guide' : null

export type LivePageState = ReturnType<typeof useLivePage>

const NO_PROGRAMMES: Programme[] = []

/** What a key for the volume changes of it. */
const VOLUME_STEP = 0.05

/** Where there is room under the picture there might as well be the chat. */
const isPortrait = (): boolean => window.matchMedia('(max-aspect-ratio: 1/1)').matches

/** Everything the live page knows and can do, without what it looks like. */
export function useLivePage(props: LiveViewProps) {
  const { channelId, defaultChannelId, fallbackChannelId, onChannel } = props
  const mayHear = useSession().status === 'signed-in'
  const channel = useChannel(channelId)
  const server = useServerStatus(channel.isHealthy)
  const known = useActiveChannels().data
  const channels = known ?? []
  // A deactivated channel is off the air for viewers, whatever it has planned.
  const isDeactivated = known?.every(({ id }) => id !== channelId) ?? false
  const [isChatOpen, setChatOpen] = useState(isPortrait)
  const [panel, setPanel] = useState(panelAskedFor)
  const fullscreen = useFullscreen(() => setChatOpen(false))

  const picture = usePicture({
    youtubeBaseUrl: props.youtubeBaseUrl,
    channelId,
    programmes: channel.timeline && (isDeactivated ? NO_PROGRAMMES : channel.timeline.programmes),
    onProgrammesNeeded: channel.topUp,
    audioAllowed: mayHear,
    // Until the list is here the channel is taken to be there.
    fallbackChannelId: !known || known.some(({ id }) => id === fallbackChannelId) ? fallbackChannelId : null,
  })
  const { session } = picture

  useWakeLock(LIVE_WAKE_LOCK)
  useOrientationLock()
  useShownTitle(session, picture.programmes)

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
    volume: (step) => session.setVolume(session.state.get().volume + step * VOLUME_STEP),
    mute: () => session.setMuted(!session.state.get().muted),
  })

  return {
    channelId,
    mayHear,
    channel,
    channels,
    session,
    sound: useSound(session),
    // A stream that cannot be fetched counts as a failed check (docs/product/viewer.md §4).
    serverStatus: channel.failure === 'unavailable' ? ('disconnected' as const) : server.status,
    fullscreen,
    isChatOpen,
    setChatOpen,
    panel,
    setPanel,
    closePanel: () => setPanel(null),
    switchTo,
    watchDefault: () => switchTo(defaultChannelId),
    selectVideo: useSelectedVideo(session, props.selectedVideoId, props.onSelectedTaken),
    youtube: picture.youtube,
    retryConnection: () => {
      toast({ title: 'Reconnecting' })
      realtime.reconnectNow()
      channel.retry()
      server.check()
      session.retryNow()
    },
  }
}

type Pictured = { id: string; video: { thumbnailUrl: string | null } }

/** What is in the picture, in the browser's tab and on the machine's media display. */
function useShownTitle(session: LivePageState['session'], programmes: readonly Pictured[] | undefined): void {
  const { selected, programme } = useLiveState(session)
  const picture = programmes?.find(({ id }) => id === programme?.id)?.video.thumbnailUrl
  const { title, artistName } = selected ?? programme?.video ?? {}
  useProgrammeTitle(title, artistName, selected ? undefined : picture)
}
