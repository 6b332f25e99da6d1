import { Button, IconButton } from '../../ui/button.tsx'

/**
 * The network lets nothing through to YouTube: said in our own words, with what one can watch meanwhile. Whoever
 * watches that already is not told to.
 */
export function YoutubeNotice(props: {
  /** Shows the channel that needs no YouTube; undefined while it is on. */
  onFallback: (() => void) | undefined
  onRetry: () => void
  onDismiss: () => void
}) {
  return (
    <div
      role="status"
      className="z-20 flex shrink-0 flex-wrap items-center gap-2 bg-panel px-4 py-2 text-sm overlay:absolute overlay:inset-x-0 overlay:top-20 overlay:mx-auto overlay:w-fit overlay:max-w-[calc(100%-2rem)] overlay:rounded-md overlay:border overlay:border-line overlay:shadow-lift"
    >
      <p className="mr-3 flex-1">
        YouTube can't be reached from this network.
        {props.onFallback && ' The Test Card channel comes from this station and plays all the same.'}
      </p>
      {props.onFallback && (
        <Button tone="primary" onClick={props.onFallback}>
          Watch the Test Card
        </Button>
      )}
      <Button onClick={props.onRetry}>Try YouTube again</Button>
      <IconButton icon="close" label="Dismiss" onClick={props.onDismiss} />
    </div>
  )
}
