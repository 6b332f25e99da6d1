import { useEffect, useSyncExternalStore } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { type CapacitorHost, nativePlugins } from '../../lib/browser/native-platform.ts'
import { usePollNotice } from '../../lib/polls/use-poll-notice.ts'
import { castSender } from './cast/cast-sender.ts'
import type { LivePageState } from './live-page-state.ts'
import { ReactionRail } from './reactions/reaction-rail.tsx'
import { reactionsShown } from './reactions/reactions-setting.ts'
import { useTakingPart } from './taking-part.ts'

/** What the live page does beside its picture, and what needs no code before it has started. Shows only the reactions. */
export function LiveExtras({ page }: { page: LivePageState }) {
  useCast(page.channelId)
  useTakingPart(page)
  usePollNotice(page.channelId, page.isChatOpen, {
    action: { label: 'Open chat', onPress: () => page.setChatOpen(true) },
  })
  useOrientationLock()
  const isShown = useSyncExternalStore(reactionsShown.subscribe, reactionsShown.get)
  // The place of the reactions is hidden around the mark.
  return isShown ? <ReactionRail key={page.channelId} page={page} /> : <span data-reactions-off />
}

/** Lets a device to which it is cast follow a channel, on stations that use Google Cast. */
function useCast(channelId: string): void {
  const { cast } = useConfig()
  useEffect(() => {
    if (cast !== null) castSender.follow(cast, channelId)
  }, [cast, channelId])
}

/**
 * In a native app, locks the screen orientation to the current one and unlocks it on leaving the live page (docs/product/viewer.md §2).
 * Does nothing in a browser.
 */
function useOrientationLock(): void {
  useEffect(() => {
    const { ScreenOrientation } = nativePlugins(window as CapacitorHost)
    if (!ScreenOrientation) return
    const locked = ScreenOrientation.orientation()
      .then(({ type }) => ScreenOrientation.lock({ orientation: type }))
      // Fails on a device without rotation, where nothing needs locking.
      .catch(() => undefined)
    return () => {
      void locked.then(() => ScreenOrientation.unlock()).catch(() => undefined)
    }
  }, [])
}
