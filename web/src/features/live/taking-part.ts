import type { Channel } from '@looptide/contracts/http/channels'
import { useEffect } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { api } from '../../lib/clients.ts'
import { followOwnRequests } from '../../lib/requests/own-requests.ts'
import { useSession } from '../../lib/session/session.tsx'
import type { LiveSession } from './player/live-session.ts'
import type { LiveState } from './player/live-state.ts'
import { WatchReporter } from './watch-reporter.ts'

/** Whether a picture in this state is the channel's, in step with all viewers. Stalls belong to it. */
const isInStep = ({ phase, selected }: LiveState): boolean => phase === 'playing' && selected === undefined

/** Reports that the viewer of a channel watches, while its picture plays in step on a visible page. */
function reportWatching(session: LiveSession, channelId: string): () => void {
  const reporter = new WatchReporter({
    report: () => api.call('POST /api/channels/:id/watching', { params: { id: channelId } }),
    nowMs: () => performance.now(),
  })
  const update = () => reporter.update(!document.hidden && isInStep(session.state.get()))
  const leave = session.state.subscribe(update)
  document.addEventListener('visibilitychange', update)
  update()
  return () => {
    leave()
    document.removeEventListener('visibilitychange', update)
    reporter.update(false)
  }
}

/**
 * Lets a signed-in viewer of a channel take part in requests, on stations with channels that take them: reports that they
 * watch, as votes need it, and notifies them of what becomes of their own requests.
 */
export function useTakingPart(page: {
  session: LiveSession
  channelId: string
  channels: readonly Channel[]
}): void {
  const { session, channelId } = page
  const { userId } = useSession()
  const { requests } = useConfig()
  const isNeeded =
    requests && userId !== undefined && page.channels.some(({ takesRequests }) => takesRequests)
  // Time watched counts on all channels.
  const hasVotes = page.channels.some(({ requestSlots = ['votes'] }) => requestSlots.includes('votes'))
  useEffect(() => {
    if (!isNeeded) return
    const ends = [followOwnRequests(channelId), ...(hasVotes ? [reportWatching(session, channelId)] : [])]
    return () => {
      for (const end of ends) end()
    }
    // Another account begins with a report of its own.
  }, [isNeeded, hasVotes, session, channelId, userId])
}
