import { useEffect, useRef, useState } from 'react'
import { useBanner } from '../features/live/channel-banner.tsx'
import { useTakingPart } from '../features/live/taking-part.ts'
import { useChannel } from '../features/live/use-channel.ts'
import { usePicture } from '../features/live/use-picture.ts'
import { useSelectedVideo } from '../features/live/use-selected-video.ts'
import { useSound } from '../features/live/use-sound.ts'
import { useZapOnceLoaded } from '../features/live/use-zap-once-loaded.ts'
import { useActiveChannels, useLiveChannelId } from '../lib/api/use-active-channels.ts'
import { useConfig } from '../lib/api/use-config.ts'
import { LIVE_WAKE_LOCK, useWakeLock } from '../lib/browser/wake-lock.ts'
import { useSession } from '../lib/session/session.tsx'
import { toast } from '../ui/toast.ts'

/** What is open beside the picture: a strip below it, or a panel to its left. */
export type TvPanel = 'info' | 'sound' | 'guide' | 'search' | 'requests' | 'poll' | 'account'

export type Tv = ReturnType<typeof useTv>

const NO_PROGRAMMES: never[] = []

/** The state and actions of the TV page. Render it once the settings are known. */
export function useTv() {
  const { defaultChannelId, fallbackChannelId, youtubeBaseUrl } = useConfig()
  const liveChannelId = useLiveChannelId() ?? defaultChannelId
  const [chosenId, setChosenId] = useState(channelInAddress)
  const channelId = chosenId ?? liveChannelId
  const channels = useActiveChannels().data
  const channel = useChannel(channelId)
  const mayHear = useSession().status === 'signed-in'
  const [panel, setPanel] = useState<TvPanel>()
  const search = useTvSearch(() => setPanel('search'))

  const isActive = (id: string) => channels?.some((active) => active.id === id) ?? true
  const { timeline } = channel
  const { session, programmes, youtube } = usePicture({
    youtubeBaseUrl,
    channelId,
    // A deactivated channel is off the air for viewers, even if it has programmes.
    programmes: timeline && (isActive(channelId) ? timeline.programmes : NO_PROGRAMMES),
    onProgrammesNeeded: channel.topUp,
    audioAllowed: mayHear,
    fallbackChannelId: isActive(fallbackChannelId) ? fallbackChannelId : null,
  })
  useWakeLock(LIVE_WAKE_LOCK)
  useTakingPart({ session, channelId, channels: channels ?? [] })

  const tuner = useTuner(channelId, channels, (id) => {
    session.backToLive()
    setChosenId(id)
  })
  const play = useSelectedVideo(session, undefined, () => undefined)

  return {
    channelId,
    channels: channels ?? [],
    channel,
    isUnavailable: timeline === undefined && channel.failure !== undefined,
    /** Visitors watch without sound. */
    mayHear,
    session,
    programmes,
    youtube,
    sound: useSound(session),
    panel,
    setPanel,
    ...tuner,
    ...search,
    playVideo: (videoId: string) => {
      setPanel(undefined)
      play(videoId)
    },
  }
}

/** How the search opens. `onOpen` shows it. */
function useTvSearch(onOpen: () => void) {
  const [search, setSearch] = useState({ text: '', number: 0, isRequest: false })
  return {
    /** The text with which the search opens. */
    searchText: search.text,
    /** Grows with each search: one for the same text starts again. */
    searchNumber: search.number,
    /** The search requests the chosen video instead of playing it. */
    isRequesting: search.isRequest,
    search: (text: string, isRequest = false) => {
      setSearch(({ number }) => ({ text, number: number + 1, isRequest }))
      onOpen()
    },
  }
}

/** Changes the channel: by steps, by its number, or to one of the guide. `channels` are the active ones, once loaded. */
function useTuner(
  channelId: string,
  channels: readonly { id: string }[] | undefined,
  onChannel: (id: string) => void,
) {
  const banner = useBanner()
  const watch = (id: string) => {
    onChannel(id)
    banner.show(id)
    // A reload, as after the television was off, shows the same channel.
    window.history.replaceState(null, '', `?${new URLSearchParams({ channel: id })}`)
  }
  const list = channels ?? []
  const zap = (step: 1 | -1) => {
    const index = list.findIndex(({ id }) => id === channelId)
    // A channel that is not in the list is before the first one and after the last one.
    const from = index === -1 && step === -1 ? 0 : index
    const next = list[(from + step + list.length) % list.length]
    if (next) watch(next.id)
  }
  const number = useChannelNumber((entered) => {
    const numbered = list[entered - 1]
    if (numbered) watch(numbered.id)
    else toast({ title: `There is no channel ${entered}` })
  })
  return {
    /** The channel whose banner is shown. */
    bannerChannelId: banner.channelId,
    watch,
    zap: useZapOnceLoaded(channels !== undefined, zap),
    /** The digits of a channel number that is being entered. */
    ...number,
  }
}

const channelInAddress = (): string | undefined =>
  new URLSearchParams(window.location.search).get('channel') ?? undefined

/** Time after the last digit until the channel is shown, in ms. */
const NUMBER_MS = 1_500
const MAX_DIGITS = 3

/** Collects the digits of a channel number, and calls back with it once no more follow. */
function useChannelNumber(onNumber: (number: number) => void) {
  const [digits, setDigits] = useState('')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(onNumber)
  useEffect(() => {
    latest.current = onNumber
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const enterDigit = (digit: string) => {
    const entered = (digits + digit).slice(-MAX_DIGITS)
    setDigits(entered)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setDigits('')
      latest.current(Number(entered))
    }, NUMBER_MS)
  }
  return { digits, enterDigit }
}
