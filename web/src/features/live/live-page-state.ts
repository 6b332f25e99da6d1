import type { Channel, Programme } from '@looptide/contracts/http/channels'
import type { useFullscreen } from '../../lib/browser/use-fullscreen.ts'
import type { ServerStatus } from './api.ts'
import type { LiveSession } from './player/live-session.ts'
import type { LiveChannel } from './use-channel.ts'
import type { YoutubeAccess } from './use-picture.ts'
import type { useSelectedVideo } from './use-selected-video.ts'
import type { useSound } from './use-sound.ts'

export type LivePanel = 'guide' | 'search' | 'channels' | 'more' | 'sync' | 'why' | 'share' | 'requests'

/** The state and actions of the live page, as its parts receive them. */
export interface LivePageState {
  channelId: string
  /** Visitors watch without sound. */
  mayHear: boolean
  channel: LiveChannel
  /** Nothing of the channel was received: it does not exist, or the server does not answer. */
  isUnavailable: boolean
  /** The active channels; empty until they are loaded. */
  channels: readonly Channel[]
  /** The channel whose banner is shown. */
  bannerChannelId: string | undefined
  session: LiveSession
  /** The programmes of the picture from the current one on; undefined until received. */
  programmes: readonly Programme[] | undefined
  sound: ReturnType<typeof useSound>
  serverStatus: ServerStatus
  fullscreen: ReturnType<typeof useFullscreen>
  isChatOpen: boolean
  setChatOpen: (isOpen: boolean) => void
  /** Viewers can request videos on the channel. */
  takesRequests: boolean
  /** The open dialog or menu. */
  panel: LivePanel | null
  setPanel: (panel: LivePanel | null) => void
  closePanel: () => void
  /** Closes the dialog and watches a channel live. */
  switchTo: (channelId: string) => void
  watchDefault: () => void
  selectVideo: ReturnType<typeof useSelectedVideo>
  youtube: YoutubeAccess
  /** Connects and requests everything again. */
  retryConnection: () => void
}
