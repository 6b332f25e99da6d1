import type { ViewerReport } from '@looptide/contracts/http/admin'
import type { Channel, NowState, StreamActionResult } from '@looptide/contracts/http/channels'
import type { GuideRow } from '@looptide/contracts/http/guide'
import { type ServerPushes, topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { allPages } from '../../../lib/all-pages.ts'
import { api } from '../../../lib/clients.ts'
import { usePushedChanges, useReload } from '../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../lib/use-topic.ts'

const channelPath = (channelId: string): string => `/api/channels/${encodeURIComponent(channelId)}`

type StatusPush = ServerPushes['admin']['status']

/** All channels with their stream status, which is pushed. */
export function useChannels() {
  const answer = useSWR(['/api/channels', 'all'], async ([path]) => ({
    items: await allPages<Channel>(path),
  }))
  const changes = usePushedChanges<{ items: Channel[] }, StatusPush>(answer, {
    apply: (known, pushes) => {
      const statuses = new Map(pushes.map(({ channelId, status }) => [channelId, status]))
      const items = known.items.map((channel) => ({
        ...channel,
        status: statuses.get(channel.id) ?? channel.status,
      }))
      return { ...known, items }
    },
  })
  const reload = () => changes.reload()
  useTopic('admin', topics.admin, { status: (push) => changes.push(push) }, reload)
  useTopic('station', topics.station, { channels: reload })
  return answer
}

export type StreamAction = 'start' | 'stop' | 'reset'

/** Starts, stops or resets a channel. A start may build a day of programmes: it may take a while. */
export function controlStream(channelId: string, action: StreamAction): Promise<StreamActionResult> {
  return api.post(`${channelPath(channelId)}/stream`, { action }, { timeoutMs: 60_000 })
}

/** How many watch each channel; changes are pushed. */
export function useViewers(): ReadonlyMap<string, number> | undefined {
  const answer = useSWR('/api/viewers', (path: string) => api.get<ViewerReport>(path, { anonymous: true }))
  const changes = usePushedChanges<ViewerReport, ServerPushes['admin']['viewers']>(answer, {
    apply: ({ counts }, pushes) => ({
      counts: { ...counts, ...Object.fromEntries(pushes.map(({ channelId, count }) => [channelId, count])) },
    }),
  })
  useTopic('admin', topics.admin, { viewers: (push) => changes.push(push) }, () => changes.reload())
  return answer.data && new Map(Object.entries(answer.data.counts))
}

/** The end of a programme is not pushed when nothing follows it, and a timeline grows by itself (ms). */
const LOOK_AGAIN_MS = 60_000
/** Changes of a timeline come in twos and threes (ms). */
const SETTLE_MS = 300

/** What is on a channel and what comes within two hours. */
export function useOnAir(channelId: string) {
  const answer = useSWR(
    `${channelPath(channelId)}/now`,
    (path: string) => api.get<NowState>(path, { anonymous: true }),
    { refreshInterval: LOOK_AGAIN_MS },
  )
  const reload = useReload(answer, SETTLE_MS)
  const ifOurs = (news: { channelId: string }) => {
    if (news.channelId === channelId) reload()
  }
  useTopic('admin', topics.admin, { status: ifOurs, timeline: ifOurs, programme: ifOurs })
  return answer
}

/** How far each active channel is planned (epoch ms), by its id. */
export function useHorizons(): ReadonlyMap<string, number> | undefined {
  const answer = useSWR(
    ['/api/guide', 'horizons'],
    ([path]) => allPages<GuideRow>(path, { anonymous: true, query: { hours: 1, limit: 100 } }),
    { refreshInterval: LOOK_AGAIN_MS },
  )
  const reload = useReload(answer, SETTLE_MS)
  const { data } = answer
  useTopic('admin', topics.admin, { status: reload, timeline: reload })
  return data && new Map(data.flatMap((row) => (row.endsAtMs ? [[row.channelId, row.endsAtMs]] : [])))
}
