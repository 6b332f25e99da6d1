import { useEffect } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { castSender } from './cast/cast-sender.ts'
import type { LivePageState } from './live-page-state.ts'
import { useTakingPart } from './taking-part.ts'

/** What the live page does beside its picture, and what needs no code before it has started. Shows nothing. */
export function LiveExtras({ page }: { page: LivePageState }) {
  useCast(page.channelId)
  useTakingPart(page)
  return null
}

/** Lets a device to which it is cast follow a channel, on stations that use Google Cast. */
function useCast(channelId: string): void {
  const { cast } = useConfig()
  useEffect(() => {
    if (cast !== null) castSender.follow(cast, channelId)
  }, [cast, channelId])
}
