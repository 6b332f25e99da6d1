import { topics } from '@looptide/contracts/realtime'
import { useCall } from '../../../lib/api/use-call.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

/** Pushes within this time cause one reload, in ms: whatever happens, a page asks at most once a second. */
const RELOAD_DELAY_MS = 1_000
/** Reload interval in ms, well within the time for which an answer has the programmes. */
const REFRESH_INTERVAL_MS = 60_000

/** What is on all channels, their next hard starts and problems, and the number of videos in quarantine. */
export function useOverview() {
  const response = useCall('GET /api/channels/overview', {}, { refreshInterval: REFRESH_INTERVAL_MS })
  const reload = useReload(response, RELOAD_DELAY_MS)
  useTopic(
    'admin',
    topics.admin,
    {
      status: reload,
      timeline: reload,
      quarantined: reload,
      change: ({ action }) => {
        if (/^(channel|quarantine|schedule)\./.test(action)) reload()
      },
    },
    reload,
  )
  return response
}

/** The number of failed metadata lookups; undefined until it is known, or without the permission. */
export function useFailedLookups(mayRead: boolean): number | undefined {
  const response = useCall('GET /api/metadata/status', mayRead ? {} : null)
  const reload = useReload(response, RELOAD_DELAY_MS)
  useTopic('admin', mayRead ? topics.admin : null, { metadata: reload }, reload)
  return response.data?.failed
}
