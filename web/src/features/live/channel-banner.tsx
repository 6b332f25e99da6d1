import type { Channel, Programme } from '@looptide/contracts/http/channels'
import type { GuideTrack } from '@looptide/contracts/http/guide'
import type { CardTexts } from '@looptide/contracts/http/themes'
import { programmeAt } from '@looptide/playhead/programme'
import { useEffect, useState } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { useCardTexts } from '../../lib/theme/card-texts.ts'
import { ChannelLogo } from '../../ui/channel-logo.tsx'
import { cardInfo, videosAfter } from './card-content.ts'
import type { LivePageState } from './live-page-state.ts'
import { NowAndNext } from './now-and-next.tsx'

/** How long the banner of a channel is shown, in ms. */
const BANNER_MS = 4_000

/** The channel whose banner is shown: for 4 s after it was chosen with Up or Down. */
export function useBanner(): { channelId: string | undefined; show: (channelId: string) => void } {
  const [chosen, setChosen] = useState<{ channelId: string }>()
  useEffect(() => {
    if (!chosen) return
    const timer = setTimeout(() => setChosen(undefined), BANNER_MS)
    return () => clearTimeout(timer)
  }, [chosen])
  return { channelId: chosen?.channelId, show: (channelId) => setChosen({ channelId }) }
}

/** The number and name of a channel over the picture, with what is on now and next, after Up or Down. */
export function ChannelBanner({ page }: { page: LivePageState }) {
  const index = page.channels.findIndex(({ id }) => id === page.bannerChannelId)
  const channel = page.channels[index]
  return (
    <div
      role="status"
      aria-label="Channel"
      className="pointer-events-none absolute inset-x-4 top-18 z-20 overlay:top-20 beside:left-8 tv:top-24"
    >
      {channel && <Banner number={index + 1} channel={channel} page={page} />}
    </div>
  )
}

function Banner(props: { number: number; channel: Channel; page: LivePageState }) {
  const { number, channel, page } = props
  const { timeline } = page.channel
  // Undefined until the programmes of the new channel are received.
  const programmes = timeline?.channelId === channel.id ? timeline.programmes : undefined
  const { now, next } = useNowAndNextOf(programmes ?? [])
  return (
    <div className="grid w-full max-w-md animate-fade grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1 rounded-md border border-line bg-black px-5 py-4 text-white shadow-lift forced-colors:bg-[Canvas] tv:max-w-xl">
      <span className="row-span-2 grid justify-items-center gap-1 self-center text-xl font-semibold tabular-nums">
        <ChannelLogo name={channel.name} url={channel.logoUrl} />
        {number}
      </span>
      <span className="truncate text-lg font-semibold">{channel.name}</span>
      {programmes?.length === 0 ? (
        <span className="text-sm text-muted tv:text-base">Off the air</span>
      ) : (
        // Two lines and the progress, which the height of the banner includes before they are received.
        <span className="block min-h-14 tv:min-h-18">
          <NowAndNext now={now} next={next} />
        </span>
      )}
    </div>
  )
}

/** What is on now and next, from the programmes of a channel. */
export function useNowAndNextOf(programmes: readonly Programme[]): {
  now: GuideTrack | undefined
  next: GuideTrack | undefined
} {
  const texts = useCardTexts()
  const onAir = programmeAt(programmes, serverClock.nowMs())
  const [next] = onAir ? videosAfter(programmes, onAir, 1) : []
  return { now: onAir && trackOf(onAir, programmes, texts), next: next && trackOf(next, programmes, texts) }
}

function trackOf(programme: Programme, programmes: readonly Programme[], texts: CardTexts): GuideTrack {
  const { startsAtMs, endsAtMs } = programme
  if (programme.kind === 'video') {
    const { title, artistName } = programme.video
    return { title, artistName, startsAtMs, endsAtMs }
  }
  return { title: cardInfo(programme, programmes, texts).title, artistName: '', startsAtMs, endsAtMs }
}
