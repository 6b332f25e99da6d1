import type { Programme } from '@looptide/contracts/http/channels'
import { useEffect, useState } from 'react'
import { useActiveChannels } from '../../lib/api/use-active-channels.ts'
import { useBrand, useConfig } from '../../lib/api/use-config.ts'
import { useFullscreen } from '../../lib/browser/use-fullscreen.ts'
import { LIVE_WAKE_LOCK, useWakeLock } from '../../lib/browser/wake-lock.ts'
import { realtime } from '../../lib/clients.ts'
import { useSession } from '../../lib/session/session.tsx'
import { toast } from '../../ui/toast.ts'
import { useServerStatus } from './api.ts'
import type { LivePageState, LivePanel } from './live-page-state.ts'
import type { LiveViewProps } from './live-view-props.ts'
import type { PicturePlace } from './picture-place.ts'
import { useChannel } from './use-channel.ts'
import { useLiveRemote } from './use-live-remote.ts'
import { useLiveState } from './use-live-session.ts'
import { usePicture } from './use-picture.ts'
import { useSelectedVideo } from './use-selected-video.ts'
import { useSound } from './use-sound.ts'

/** The guide for `/live?open=guide`, the shortcut of the installed app. */
const initialPanel = (): LivePanel | null =>
  new URLSearchParams(window.location.search).get('open') === 'guide' ? 'guide' : null

/** The open dialog of the live page; it closes when the page is left. */
function usePanel(isPage: boolean) {
  const [panel, setPanel] = useState(initialPanel)
  if (!isPage && panel !== null) setPanel(null)
  return [panel, setPanel] as const
}

const NO_PROGRAMMES: Programme[] = []

/** Whether there is space below the picture; then the chat is open at first. */
const isPortrait = (): boolean => window.matchMedia('(max-aspect-ratio: 1/1)').matches

/** The state and actions of the live page. */
export function useLivePage(props: LiveViewProps): LivePageState {
  const { channelId, defaultChannelId, onChannel } = props
  const isPage = props.place === 'page'
  const mayHear = useSession().status === 'signed-in'
  const { requests } = useConfig()
  const channel = useChannel(channelId)
  const server = useServerStatus(channel.isHealthy)
  const channels = useActiveChannels().data
  const [isChatOpen, setChatOpen] = useState(isPortrait)
  const [panel, setPanel] = usePanel(isPage)
  const fullscreen = useFullscreen(() => setChatOpen(false), isPage)
  const { session, programmes, youtube } = useChannelPicture(props, { channel, channels, mayHear })

  useWakeLock(LIVE_WAKE_LOCK, isPage)
  useShownTitle(session, programmes, props.place)

  const switchTo = (id: string) => {
    setPanel(null)
    session.backToLive()
    onChannel(id)
  }
  const openGuide = () => setPanel('guide')

  return {
    channelId,
    mayHear,
    channel,
    isUnavailable: channel.timeline === undefined && channel.failure !== undefined,
    channels: channels ?? [],
    ...useLiveRemote({ isPage, channelId, channels, session, switchTo, openGuide }),
    session,
    programmes,
    sound: useSound(session),
    // A failed stream fetch counts as a failed health check (docs/product/viewer.md §4).
    serverStatus: channel.failure === 'unavailable' ? 'disconnected' : server.status,
    fullscreen,
    isChatOpen,
    setChatOpen,
    takesRequests: requests && channels?.find(({ id }) => id === channelId)?.takesRequests === true,
    panel,
    setPanel,
    closePanel: () => setPanel(null),
    switchTo,
    watchDefault: () => switchTo(defaultChannelId),
    selectVideo: useSelectedVideo(session, props.selectedVideoId, props.onSelectedTaken),
    youtube,
    retryConnection: () => {
      toast({ title: 'Reconnecting' })
      realtime.reconnectNow()
      channel.retry()
      server.check()
      session.retryNow()
    },
  }
}

/** The picture of the channel. `channels` are the active ones; undefined until they are loaded. */
function useChannelPicture(
  { place, channelId, fallbackChannelId, youtubeBaseUrl }: LiveViewProps,
  page: Pick<LivePageState, 'channel' | 'mayHear'> & { channels: LivePageState['channels'] | undefined },
) {
  const { channel, channels, mayHear } = page
  const isActive = (id: string) => channels?.some((active) => active.id === id) ?? true
  const { timeline } = channel
  return usePicture({
    youtubeBaseUrl,
    channelId,
    // A deactivated channel is off the air for viewers, even if it has programmes.
    programmes: timeline && (isActive(channelId) ? timeline.programmes : NO_PROGRAMMES),
    onProgrammesNeeded: channel.topUp,
    audioAllowed: mayHear && place !== 'home',
    fallbackChannelId: isActive(fallbackChannelId) ? fallbackChannelId : null,
  })
}

interface Pictured {
  id: string
  video: { thumbnailUrl: string | null } | null
}

/**
 * Shows the current video, or the next one during a card, in the document title of the live page and in the system's media
 * controls.
 */
function useShownTitle(
  session: LivePageState['session'],
  programmes: readonly Pictured[] | undefined,
  place: PicturePlace,
): void {
  const { selected, substitute, programme, upNext } = useLiveState(session)
  const shown = programme?.video === null ? upNext[0] : programme
  const picture = programmes?.find(({ id }) => id === shown?.id)?.video?.thumbnailUrl
  const { title, artistName } = selected ?? substitute ?? shown?.video ?? {}
  const thumbnailUrl = selected ? undefined : substitute ? substitute.thumbnailUrl : picture
  useProgrammeTitle({ title, artistName, thumbnailUrl, place })
}

/**
 * Shows the current video in the document title and the system's media controls. No action handlers are set: the
 * browser pauses the player directly, and the player reports it.
 */
function useProgrammeTitle(shown: {
  title: string | undefined
  artistName: string | undefined
  thumbnailUrl: string | null | undefined
  place: PicturePlace
}): void {
  const { title, artistName, thumbnailUrl, place } = shown
  const isPage = place === 'page'
  const isHeard = place !== 'home'
  const { name, shortName } = useBrand()
  useEffect(() => {
    if (!isPage) return
    document.title = title
      ? `${title} – ${artistName} | ${shortName}`
      : `Continuous Live Stream | ${shortName}`
  }, [title, artistName, shortName, isPage])
  useEffect(() => {
    if (!isHeard || !title || !('mediaSession' in navigator)) return
    navigator.mediaSession.metadata = new MediaMetadata({
      title,
      artist: artistName ?? shortName,
      album: name,
      artwork: thumbnailUrl ? [{ src: thumbnailUrl }] : [],
    })
    return () => {
      navigator.mediaSession.metadata = null
    }
  }, [title, artistName, thumbnailUrl, name, shortName, isHeard])
}
