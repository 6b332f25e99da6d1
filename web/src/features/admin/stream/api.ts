import type { Channel, StreamActionResult } from '@looptide/contracts/http/channels'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { api } from '../../../lib/clients.ts'
import { useTopic } from '../../../lib/use-topic.ts'

/** All channels with their stream status, which is pushed. */
export function useChannels() {
  const answer = useSWR(['/api/channels', 'all'], ([path]) => api.get<{ items: Channel[] }>(path))
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
          { revalidate: false },
        ),
    },
    reload,
  )
  useTopic('station', topics.station, { channels: reload })
  return answer
}

export type StreamAction = 'start' | 'stop' | 'reset'

export function controlStream(channelId: string, action: StreamAction): Promise<StreamActionResult> {
  return api.post(`/api/channels/${encodeURIComponent(channelId)}/stream`, { action }, { timeoutMs: 60_000 })
}
