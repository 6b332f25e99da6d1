import { Button, IconButton } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'

/** Nothing is known of the stream and nobody answers. */
export function Unavailable({ onRetry }: { onRetry: () => void }) {
  return (
    <div
      role="alert"
      className="absolute inset-0 z-10 grid place-content-center justify-items-center gap-5 p-6"
    >
      <p className="text-lg text-white">Stream server unavailable</p>
      <Button tone="primary" onClick={onRetry}>
        Retry Connection
      </Button>
    </div>
  )
}

export function SwitchingOverlay() {
  return (
    <div className="absolute inset-0 z-10 grid place-items-center bg-black text-lg text-white">
      <Spinner text="Switching Channel..." />
    </div>
  )
}

/** The network lets nothing through to YouTube: said in our own words, with what one can watch meanwhile. */
export function YoutubeNotice({ onRetry, onDismiss }: { onRetry: () => void; onDismiss: () => void }) {
  return (
    <div
      role="status"
      className="z-20 flex shrink-0 flex-wrap items-center gap-x-2 gap-y-2 bg-panel px-4 py-2 text-sm overlay:absolute overlay:inset-x-4 overlay:top-14 overlay:mx-auto overlay:max-w-3xl overlay:rounded-md"
    >
      <p className="min-w-60 flex-1">
        YouTube can't be reached from this network. You can watch the Test Card channel instead: it comes from
        this station.
      </p>
      <Button onClick={onRetry}>Try YouTube again</Button>
      <IconButton icon="close" label="Dismiss" onClick={onDismiss} />
    </div>
  )
}
