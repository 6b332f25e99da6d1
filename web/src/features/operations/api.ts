import type { ViewerReport } from '@looptide/contracts/http/admin'
import type { StreamActionResult } from '@looptide/contracts/http/channels'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import { useAllPages, useCall } from '../../lib/api/use-call.ts'
import { usePushedChanges, useReload } from '../../lib/api/use-pushed-changes.ts'
import { api } from '../../lib/clients.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'

export type StreamAction = 'start' | 'stop' | 'reset'

/** Starts, stops or resets a channel. A start builds a day of programmes, hence the long timeout. */
export function controlStream(channelId: string, action: StreamAction): Promise<StreamActionResult> {
  return api.call(
    'POST /api/channels/:id/stream',
    { params: { id: channelId }, body: { action } },
    { timeoutMs: 60_000 },
  )
}

/** Number of viewers by channel id. Changes are pushed. */
export function useViewers(): ReadonlyMap<string, number> | undefined {
  const response = useCall('GET /api/viewers', {}, { anonymous: true })
  const changes = usePushedChanges<ViewerReport, ServerPushes['admin']['viewers']>(response, {
    apply: ({ counts }, pushes) => ({
      counts: Object.fromEntries(
        [counts, ...pushes.map((push) => push.counts)].flatMap((each) => Object.entries(each)),
      ),
    }),
  })
  useTopic('admin', topics.admin, { viewers: (push) => changes.push(push) }, () => changes.reload())
  return response.data && new Map(Object.entries(response.data.counts))
}

/** Reload interval in ms, since neither the end of the last programme nor the growth of a timeline is pushed. */
const REFRESH_INTERVAL_MS = 60_000
/** Window in which several changes of a timeline cause one reload, in ms. */
const RELOAD_DELAY_MS = 300

/** The current programme of a channel and those of the next two hours. */
export function useOnAir(channelId: string) {
  const response = useCall(
    'GET /api/channels/:id/now',
    { params: { id: channelId } },
    { anonymous: true, refreshInterval: REFRESH_INTERVAL_MS },
  )
  const reload = useReload(response, RELOAD_DELAY_MS)
  const reloadIfChanged = (changed: { channelId: string }) => {
    if (changed.channelId === channelId) reload()
  }
  useTopic(
    'admin',
    topics.admin,
    { status: reloadIfChanged, timeline: reloadIfChanged, programme: reloadIfChanged },
    reload,
  )
  return response
}

/** End of each active channel's timeline (epoch ms), by channel id. */
export function usePlannedUntil(): ReadonlyMap<string, number> | undefined {
  const response = useAllPages(
    'GET /api/guide',
    { query: { hours: 1, limit: 100 } },
    { anonymous: true, refreshInterval: REFRESH_INTERVAL_MS },
  )
  const reload = useReload(response, RELOAD_DELAY_MS)
  const { data } = response
  useTopic('admin', topics.admin, { status: reload, timeline: reload }, reload)
  return data && new Map(data.flatMap((row) => (row.endsAtMs ? [[row.channelId, row.endsAtMs]] : [])))
}
