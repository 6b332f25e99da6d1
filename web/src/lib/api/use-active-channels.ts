import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { liveChannelId } from '../live-channel.ts'
import { useRandomDelay } from '../realtime/use-random-delay.ts'
import { useTopic } from '../realtime/use-topic.ts'
import { allPages } from './all-pages.ts'
import { keyOf } from './use-call.ts'
import { useConfig } from './use-config.ts'
import { useReload } from './use-pushed-changes.ts'

/** The active channels, by position. */
export function useActiveChannels() {
  const key = keyOf('GET /api/channels', {}, { anonymous: true, shape: 'derived' })
  const answer = useSWR(key, async ([call, input]) => {
    const channels = await allPages(call, input, { anonymous: true })
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
