import type { ViewerReport } from '@looptide/contracts/http/admin'
import type { Channel, NowState, StreamActionResult } from '@looptide/contracts/http/channels'
import type { GuideRow } from '@looptide/contracts/http/guide'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { allPages } from '../../../lib/all-pages.ts'
import { askIfUnknown } from '../../../lib/ask-if-unknown.ts'
import { api } from '../../../lib/clients.ts'
import { useGathered } from '../../../lib/use-gathered.ts'
import { useTopic } from '../../../lib/use-topic.ts'

const channelPath = (channelId: string): string => `/api/channels/${encodeURIComponent(channelId)}`

/** All channels with their stream status, which is pushed. */
export function useChannels() {
  const answer = useSWR(['/api/channels', 'all'], async ([path]) => ({
    items: await allPages<Channel>(path),
  }))
  const reload = () => void answer.mutate()
  useTopic(
    'admin',
    topics.admin,
    {
      status: ({ channelId, status }) =>
        void answer.mutate(
          (known) =>
            known && {
              ...known,
              items: known.items.map((channel) =>
                channel.id === channelId ? { ...channel, status } : channel,
              ),
            },
          askIfUnknown,
        ),
    },
    reload,
  )
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
  const { data, mutate } = useSWR('/api/viewers', (path: string) =>
    api.get<ViewerReport>(path, { anonymous: true }),
  )
  useTopic(
    'admin',
    topics.admin,
    {
      viewers: ({ channelId, count }) =>
        void mutate((known) => known && { counts: { ...known.counts, [channelId]: count } }, askIfUnknown),
    },
    () => void mutate(),
  )
  return data && new Map(Object.entries(data.counts))
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
  const reload = useGathered(() => void answer.mutate(), SETTLE_MS)
  const ifOurs = (news: { channelId: string }) => {
    if (news.channelId === channelId) reload()
  }
  useTopic('admin', topics.admin, { status: ifOurs, timeline: ifOurs, programme: ifOurs })
  return answer
}

/** How far each active channel is planned (epoch ms), by its id. */
export function useHorizons(): ReadonlyMap<string, number> | undefined {
  const { data, mutate } = useSWR(
    ['/api/guide', 'horizons'],
    ([path]) => allPages<GuideRow>(path, { anonymous: true, query: { hours: 1, limit: 100 } }),
    { refreshInterval: LOOK_AGAIN_MS },
  )
  const reload = useGathered(() => void mutate(), SETTLE_MS)
  useTopic('admin', topics.admin, { status: reload, timeline: reload })
  return data && new Map(data.flatMap((row) => (row.endsAtMs ? [[row.channelId, row.endsAtMs]] : [])))
}
