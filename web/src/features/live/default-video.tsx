import { serverClock } from '../../lib/clients.ts'

/** Comes from the station itself, as everything a viewer may have to fall back on. */
const CLIP = '/test-card/horizon.mp4'

/**
 * What plays where nothing is set (docs/product/viewer.md §4): a silent clip in a loop, dimmed for the words over it,
 * at the same second for everybody who sees it.
 */
export function DefaultVideo() {
  return (
    <video
      src={CLIP}
      autoPlay
      loop
      muted
      playsInline
      aria-hidden="true"
      tabIndex={-1}
      data-testid="default-video"
      onLoadedMetadata={({ currentTarget }) => {
        currentTarget.currentTime = (serverClock.nowMs() / 1000) % currentTarget.duration
      }}
      className="pointer-events-none absolute inset-0 size-full animate-fade object-cover opacity-40"
    />
  )
}
