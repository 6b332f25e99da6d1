import { serverClock } from '../../lib/clients.ts'

/** Served by the station itself, like every fallback. */
const CLIP = '/test-card/horizon.mp4'

/**
 * The default video while nothing is scheduled (docs/product/viewer.md §4): a silent looping clip, dimmed for the text
 * over it and synchronised to the server's clock.
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
