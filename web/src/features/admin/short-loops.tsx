import type { ChannelLoop } from '@looptide/contracts/http/loops'
import { topics } from '@looptide/contracts/realtime'
import { formatDuration } from '@looptide/playhead/duration'
import { useCall } from '../../lib/api/use-call.ts'
import { useReload } from '../../lib/api/use-pushed-changes.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'

const HOUR_MS = 3_600_000

/** Warns that a channel repeats its playlist within an hour. Renders nothing for a longer or an empty playlist. */
export function ShortLoopWarning({ loop }: { loop: ChannelLoop }) {
  if (loop.videosCount === 0 || loop.durationMs >= HOUR_MS) return null
  return (
    <p className="rounded-md border border-accent px-3 py-2 text-sm font-medium text-text">
      <span aria-hidden="true">⚠ </span>
      This playlist is shorter than an hour and repeats every {formatDuration(loop.durationMs)}.
    </p>
  )
}

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
