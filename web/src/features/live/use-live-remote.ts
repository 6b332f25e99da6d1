import { useLayoutEffect, useRef } from 'react'
import { useRemoteActions } from '../../lib/remote/remote-actions.ts'
import { remoteActionFor } from '../../lib/remote/remote-keys.ts'
import { useBanner } from './channel-banner.tsx'
import type { LivePageState } from './live-page-state.ts'
import { useZapOnceLoaded } from './use-zap-once-loaded.ts'

/** The step of a volume key. */
const VOLUME_STEP = 0.05

/** The chat, in which arrows move the focus as on other pages. The reactions are a control like those of the picture. */
const CHAT = 'aside[data-beside-picture]'
/** What Left and Right step through, in the order of the document. */
const STOPS = '#main :is(a[href], button, input), [data-sonner-toast] button'
const PICTURE = '[data-picture-focus]'

/** Whether a key changes the channel, which shows the channel's banner and not the controls. */
export const isChannelKey = (event: KeyboardEvent): boolean =>
  event.key === 'ArrowUp' || event.key === 'ArrowDown' || remoteActionFor(event, 'button')?.kind === 'channel'

/**
 * The keys of the live page: Up and Down change the channel, Left and Right step through the controls. A remote control
 * may also open the guide, and has keys for channel and volume. Returns the channel whose banner is shown.
 */
export function useLiveRemote(props: {
  isPage: boolean
  channelId: string
  /** The active ones; undefined until they are loaded. */
  channels: readonly { id: string }[] | undefined
  session: LivePageState['session']
  switchTo: (channelId: string) => void
  openGuide: () => void
}): { bannerChannelId: string | undefined } {
  const { channelId, channels, session, switchTo, openGuide } = props
  const list = channels ?? []
  const banner = useBanner()
  // A second key may follow before the page shows the channel of the first one.
  const tunedId = useRef(channelId)
  useLayoutEffect(() => {
    tunedId.current = channelId
  }, [channelId])
  const zap = useZapOnceLoaded(channels !== undefined, (step) => {
    const index = list.findIndex(({ id }) => id === tunedId.current)
    // A channel that is not in the list is before the first one and after the last one.
    const next = list.at(((index === -1 && step === -1 ? 0 : index) + step) % list.length)
    if (!next) return
    tunedId.current = next.id
    banner.show(next.id)
    switchTo(next.id)
  })
  useRemoteActions(
    {
      guide: openGuide,
      channel: zap,
      arrow: (key, isHeld) => {
        if (document.activeElement?.closest(CHAT)) return false
        if (key === 'ArrowLeft' || key === 'ArrowRight') stepThroughControls(key === 'ArrowRight' ? 1 : -1)
        else if (!isHeld) zap(key === 'ArrowUp' ? 1 : -1)
        return true
      },
      volume: (step) => session.setVolume(session.state.get().volume + step * VOLUME_STEP),
      mute: () => session.setMuted(!session.state.get().muted),
    },
    props.isPage,
  )
  return { bannerChannelId: banner.channelId }
}

/** Focuses the next or previous control; after the last one the first. The chat is one stop: its first control. */
function stepThroughControls(step: 1 | -1): void {
  const usable = [...document.querySelectorAll<HTMLElement>(STOPS)].filter(
    (element) => !element.matches(':disabled, [tabindex="-1"]') && element.checkVisibility(),
  )
  const chat = usable.find((element) => element.closest(CHAT))
  const stops = usable.filter((element) => element === chat || !element.closest(CHAT))
  const { activeElement } = document
  const focused = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1
  const from = focused === -1 ? stops.findIndex((element) => element.matches(PICTURE)) : focused
  const next = stops.at((from + step) % stops.length)
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
