import type { ChannelLoop } from '@looptide/contracts/http/simulation'
import { formatDuration } from '@looptide/playhead/duration'

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
