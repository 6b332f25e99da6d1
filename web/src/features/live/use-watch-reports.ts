import type { Channel } from '@looptide/contracts/http/channels'
import { useEffect } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { api } from '../../lib/clients.ts'
import { useSession } from '../../lib/session/session.tsx'
import type { LiveSession } from './player/live-session.ts'

/**
 * Reports that the signed-in viewer watches a channel, because votes count only from people who watch. Not on stations
 * without votes. `isReady`: the code may be loaded.
 */
export function useWatchReports(
  page: { session: LiveSession; channelId: string; channels: readonly Channel[] },
  isReady: boolean,
): void {
  const { session, channelId } = page
  const { userId } = useSession()
  const { requests } = useConfig()
  const isNeeded =
    isReady && requests && userId !== undefined && page.channels.some(({ takesRequests }) => takesRequests)
  useEffect(() => {
    if (!isNeeded) return
    let isLeft = false
    let end: (() => void) | undefined
    import('./watch-reports.ts').then(
      ({ reportWatching }) => {
        const report = () => api.call('POST /api/channels/:id/watching', { params: { id: channelId } })
        if (!isLeft) end = reportWatching(session, report)
      },
      // Without the code, votes need another visit.
      () => undefined,
    )
    return () => {
      isLeft = true
      end?.()
    }
    // Another account begins with a report of its own.
  }, [isNeeded, session, channelId, userId])
}
