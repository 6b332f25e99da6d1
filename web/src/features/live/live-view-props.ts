import type { Programme } from '@looptide/contracts/http/channels'
import type { ReactNode } from 'react'
import type { ViewPlace } from './picture-place.ts'

/** What the guide of the live page gets: `watch` closes it and watches a channel live, `tune` only shows the channel. */
export interface LiveGuideProps {
  channelId: string
  close: () => void
  watch: (channelId: string) => void
  tune: (channelId: string) => void
}

export interface LiveViewProps {
  place: ViewPlace
  /** The element that the picture covers on the home page. */
  stage: HTMLElement | undefined
  /** Ends the picture in the corner and on the home page. */
  onClose: () => void
  channelId: string
  defaultChannelId: string
  fallbackChannelId: string
  youtubeBaseUrl: string
  /** A video selected on another page, played only for this viewer. */
  selectedVideoId: string | undefined
  /** Called when that video has been requested, so that a reload does not play it again. */
  onSelectedTaken: () => void
  /** Shows another channel. Nothing happens if the page shows it or is about to. */
  onChannel: (channelId: string) => void
  /** `viewers`: the viewer count of the channel; undefined until received. */
  chat: (
    channelId: string,
    close: () => void,
    viewers: number | undefined,
    programmes: readonly Programme[] | undefined,
  ) => ReactNode
  /** The unread badge inside the chat button; its text has the id `id`. */
  chatUnread: (channelId: string, isOpen: boolean, id: string) => ReactNode
  guide: (props: LiveGuideProps) => ReactNode
  search: (play: (videoId: string) => void, close: () => void) => ReactNode
  /** The requests that wait on the channel; `search` opens the search. */
  requests: (search: () => void, close: () => void) => ReactNode
  /** Load the code of `chat`, `guide` and `search`. */
  preloads: readonly (() => Promise<unknown>)[]
}
