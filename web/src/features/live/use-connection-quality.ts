import { useSyncExternalStore } from 'react'
import { serverClock } from '../../lib/clients.ts'
import { connectionQuality } from './connection-quality.ts'
import type { LivePageState } from './live-page-state.ts'
import { useLiveState } from './use-live-session.ts'

/** See {@link connectionQuality}. */
export function useConnectionQuality(page: LivePageState): ReturnType<typeof connectionQuality> {
  const clock = useSyncExternalStore(serverClock.onChange, serverClock.estimate)
  return connectionQuality({
    connection: page.channel.connection,
    roundTripMs: clock?.roundTripMs,
    isBuffering: useLiveState(page.session).buffering,
  })
}
