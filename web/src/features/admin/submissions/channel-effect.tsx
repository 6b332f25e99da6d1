import { useSimulation } from '../channels/api.ts'
import { ShortListWarning } from '../channels/short-list-warning.tsx'
import { countedVideos } from '../desk/counted-videos.ts'
import { publicVideos } from '../library/live-change.ts'

/**
 * What accepting videos onto a channel does to what it plays. The channel does not know videos under review, so their
 * duration is not part of it.
 */
export function ChannelEffect({ channelId, count }: { channelId: string; count: number }) {
  const { data } = useSimulation(channelId, { hours: 1 })
  if (!data) return null
  const { before } = data.loop
  if (before.source === 'playlist') return <ShortListWarning loop={before} />
  return (
    <p className="rounded-md border border-accent px-3 py-2 text-sm font-medium">
      <span aria-hidden="true">⚠ </span>
      The channel will play only {count === 1 ? 'this' : 'these'} {countedVideos(count)} in a loop instead of{' '}
      {publicVideos(before)}.
    </p>
  )
}
