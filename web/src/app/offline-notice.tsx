import { useIsOnline } from '../lib/browser/use-is-online.ts'

/** At the bottom of the header while the browser is offline: what still works. */
export function OfflineNotice() {
  const isOnline = useIsOnline()
  return (
    <div role="status">
      {!isOnline && (
        <p className="animate-fade border-t border-line bg-panel px-4 py-2 text-center text-sm text-muted">
          <strong className="mr-2 text-text">
            <span aria-hidden="true" className="mr-2 inline-block size-2 rounded-full bg-accent" />
            Offline
          </strong>
          Loaded pages keep working. Changes and new pages need the network.
        </p>
      )}
    </div>
  )
}
