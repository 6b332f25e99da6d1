import type { ChannelLoop } from '@looptide/contracts/http/simulation'
import { topics } from '@looptide/contracts/realtime'
import { useCall } from '../../../lib/api/use-call.ts'
import { useReload } from '../../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../../lib/realtime/use-topic.ts'

/** Audit actions that can change the length of a channel's loop. */
const LENGTH_CHANGES = /^(playlist|channel|video|live_playlist)\./

/** The loops of active channels that repeat within an hour, by channel id. Reloaded when playlists or videos change. */
export function useShortLoops(): ReadonlyMap<string, ChannelLoop> {
  const response = useCall('GET /api/channels/short-loops', {}, { revalidateOnFocus: false })
  const reload = useReload(response)
  useTopic(
    'admin',
    topics.admin,
    {
      change: ({ action }) => {
        if (LENGTH_CHANGES.test(action)) reload()
      },
    },
    reload,
  )
  return new Map(response.data?.items.map(({ channelId, loop }) => [channelId, loop]))
}
