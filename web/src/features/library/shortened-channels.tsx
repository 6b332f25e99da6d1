import { MAX_REMOVED_VIDEOS, type ShortLoops } from '@looptide/contracts/http/short-loops'
import { formatDuration } from '@looptide/playhead/duration'
import useSWRImmutable from 'swr/immutable'
import { api } from '../../lib/clients.ts'
import type { Selection } from '../admin/selection.ts'
import { videoCountText } from '../admin/video-texts.ts'

/** Describes what a channel would play without the deleted videos. */
function shortenedText({ name, loop }: ShortLoops['items'][number]): string {
  const { videosCount, durationMs } = loop
  if (videosCount === 0) return `${name} would have nothing left to play.`
  return `${name} would play only ${videoCountText(videosCount)} (${formatDuration(durationMs)}) in a loop.`
}

/** Warns about channels that a deletion would leave with less than an hour of videos, or with none. */
export function ShortenedChannels({ selected }: { selected: Selection }) {
  const ids = [...selected].slice(0, MAX_REMOVED_VIDEOS)
  const { data } = useSWRImmutable(
    ['POST /api/channels/short-loops', ids] as const,
    ([call, withoutVideoIds]) => api.call(call, { body: { withoutVideoIds } }),
  )
  if (!data || data.items.length === 0) return null
  return (
    <ul
      aria-label="Channels with a short playlist"
      className="grid gap-1 rounded-md border border-accent px-3 py-2 text-sm font-medium text-text"
    >
      {data.items.map((item) => (
        <li key={item.channelId} className="break-words">
          <span aria-hidden="true">⚠ </span>
          {shortenedText(item)}
        </li>
      ))}
    </ul>
  )
}
