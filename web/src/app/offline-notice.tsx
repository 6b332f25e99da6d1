import { useIsOnline } from '../lib/browser/use-is-online.ts'

/** Below the header while the browser is offline: what still works. It covers the page instead of moving it. */
export function OfflineNotice() {
  const isOnline = useIsOnline()
  return (
    <div role="status" className="absolute inset-x-0 top-full">
      {!isOnline && (
        <p className="animate-fade border-b border-line bg-panel px-4 py-2 text-center text-sm text-muted shadow-lift">
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
