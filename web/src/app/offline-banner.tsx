import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** A quiet word while the browser knows that it has no network. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status">
      {!isOnline && (
        <p className="bg-accent px-4 py-1.5 text-center text-sm font-semibold text-on-accent">
          You are offline. What is already here keeps working.
        </p>
      )}
    </div>
  )
}
