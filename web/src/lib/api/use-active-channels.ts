import type { Channel } from '@looptide/contracts/http/channels'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { liveChannelId } from '../live-channel.ts'
import { useRandomDelay } from '../realtime/use-random-delay.ts'
import { useTopic } from '../realtime/use-topic.ts'
import { allPages } from './all-pages.ts'
import { useConfig } from './use-config.ts'
import { useReload } from './use-pushed-changes.ts'

/** The active channels, by position. */
export function useActiveChannels() {
  const answer = useSWR('/api/channels', async (path: string) => {
    const channels = await allPages<Channel>(path, { anonymous: true })
    return channels.filter((channel) => channel.isActive).toSorted((a, b) => a.position - b.position)
  })
  const reload = useReload(answer)
  useTopic('station', topics.station, { channels: reload }, useRandomDelay(reload))
  return answer
}

/** See {@link liveChannelId}. */
export function useLiveChannelId(): string | undefined {
  const { defaultChannelId } = useConfig()
  return liveChannelId(defaultChannelId, useActiveChannels().data)
}
