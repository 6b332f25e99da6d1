import type { ShortLoops } from '@looptide/contracts/http/short-loops'
import type { ChannelLoop } from '@looptide/contracts/http/simulation'
import { topics } from '@looptide/contracts/realtime'
import useSWR from 'swr'
import { api } from '../../../lib/clients.ts'
import { useReload } from '../../../lib/use-pushed-changes.ts'
import { useTopic } from '../../../lib/use-topic.ts'

/** Changes that may make a list shorter or longer. */
const CONCERNED = /^(playlist|channel|video|live_playlist)\./

/** The active channels that play the same videos again within an hour, by id. Follows changes of playlists and videos. */
export function useShortLists(): ReadonlyMap<string, ChannelLoop> {
  const answer = useSWR('/api/channels/short-loops', (path: string) => api.get<ShortLoops>(path), {
    revalidateOnFocus: false,
  })
  const reload = useReload(answer)
  useTopic(
    'admin',
    topics.admin,
    {
      audit: ({ entry }) => {
        if (CONCERNED.test(entry.action ?? '')) reload()
      },
    },
    reload,
  )
  return new Map(answer.data?.items.map(({ channelId, loop }) => [channelId, loop]))
}
