import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** A quiet word at the edge while the browser knows that it has no network; it lies in nobody's way. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-3 z-30 flex justify-center px-4 sm:bottom-5"
    >
      {!isOnline && (
        <p className="flex animate-rise items-center gap-2.5 rounded-full border border-line bg-panel px-4 py-2 text-sm text-text shadow-lift">
          <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-accent" />
          You are offline. What is already here keeps working.
        </p>
      )}
    </div>
  )
}
