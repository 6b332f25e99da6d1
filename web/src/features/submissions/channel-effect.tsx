import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { publicVideosText, videoCountText } from '../admin/video-texts.ts'
import { useSimulation } from '../channels/api.ts'

/**
 * Warns how accepting videos onto a channel changes what it plays. The scheduler does not know videos under review, so
 * their duration is not included.
 */
export function ChannelEffect({ channelId, count }: { channelId: string; count: number }) {
  const { data } = useSimulation(channelId, { hours: 1 })
  if (!data) return null
  const { before } = data.loop
  if (before.source === 'playlist') return <ShortLoopWarning loop={before} />
  if (before.videosCount === 0) return null
  return (
    <p className="rounded-md border border-accent px-3 py-2 text-sm font-medium">
      <span aria-hidden="true">⚠ </span>
      The channel will play only {count === 1 ? 'this video' : `these ${videoCountText(count)}`} in a loop
      instead of {publicVideosText(before)}.
    </p>
  )
}
