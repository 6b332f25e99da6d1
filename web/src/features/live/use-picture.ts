import type { Programme } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { fetchSubstitutes, reportPlayback, useProgrammes } from './api.ts'
import { useLiveSession } from './use-live-session.ts'

interface PictureOptions {
  youtubeBaseUrl: string
  /** The channel that is watched. */
  channelId: string
  /** The channel's programmes; undefined until received. */
  programmes: readonly Programme[] | undefined
  onProgrammesNeeded: () => void
  /** The channel whose programmes need no YouTube; null if it is off the air. */
  fallbackChannelId: string | null
  audioAllowed: boolean
}

/** Whether YouTube can be reached. */
export interface YoutubeAccess {
  /** YouTube could not be reached, and the viewer has not dismissed the notice. */
  isNoticeShown: boolean
  /** The picture shows the fallback channel instead of the channel that is watched. */
  isReplaced: boolean
  retry: () => void
  dismiss: () => void
}

/**
 * The picture of a channel. If YouTube cannot be reached, it shows the fallback channel, which comes from the station
 * itself. Only the picture changes: chat, guide and viewer count stay with the channel that is watched.
 */
export function usePicture(options: PictureOptions) {
  const { channelId, fallbackChannelId } = options
  const [blockedOn, setBlockedOn] = useState<string>()
  const [isNoticeShown, setNoticeShown] = useState(false)
  const isReplaced = blockedOn === channelId && fallbackChannelId !== null && fallbackChannelId !== channelId
  const fallback = useProgrammes(isReplaced ? fallbackChannelId : null)
  const programmes = isReplaced ? fallback.programmes : options.programmes
  const shownChannelId = isReplaced ? fallbackChannelId : channelId

  const session = useLiveSession({
    youtubeBaseUrl: options.youtubeBaseUrl,
    programmes,
    audioAllowed: options.audioAllowed,
    serverNowMs: serverClock.nowMs,
    onProgrammesNeeded: isReplaced ? fallback.refresh : options.onProgrammesNeeded,
    findSubstitutes: ({ id }) => fetchSubstitutes(shownChannelId, id),
    onUnplayable: ({ videoId }, _kind, errorCode) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      reportPlayback(shownChannelId, { videoId, errorCode, timeZone })
    },
    onDuration: ({ videoId }, durationMs) =>
      reportPlayback(shownChannelId, { videoId, durationMs: Math.round(durationMs) }),
    onUnreachable: (kind) => {
      if (kind !== 'youtube') return
      setBlockedOn(channelId)
      setNoticeShown(true)
    },
  })

  const youtube: YoutubeAccess = {
    isNoticeShown,
    isReplaced,
    retry: () => {
      setBlockedOn(undefined)
      setNoticeShown(false)
      session.retryNow()
    },
    dismiss: () => setNoticeShown(false),
  }
  return { session, programmes, youtube }
}
