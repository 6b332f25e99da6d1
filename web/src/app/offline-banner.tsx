import { useLocation } from 'react-router-dom'
import { useIsOnline } from '../lib/browser/use-is-online.ts'
import { paths } from '../lib/paths.ts'

/** A banner at the bottom while the browser is offline. The live page has its own message. */
export function OfflineBanner() {
  const isOnline = useIsOnline()
  const isLive = useLocation().pathname === paths.live()
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-3 z-30 flex justify-center px-4 sm:bottom-5"
    >
      {!isOnline && !isLive && (
        <p className="flex animate-rise items-center gap-2.5 rounded-full border border-line bg-panel px-4 py-2 text-sm text-text shadow-lift">
          <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-accent" />
          You are offline. Loaded pages keep working.
        </p>
      )}
    </div>
  )
}
