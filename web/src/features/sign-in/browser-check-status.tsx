import { useSyncExternalStore } from 'react'
import { isChecking, onCheckingChange } from '../../lib/browser-check/fetch-with-proof.ts'

/** Shown while the browser solves a challenge of the server, which takes some seconds; empty otherwise. */
export function BrowserCheckStatus() {
  const isRunning = useSyncExternalStore(onCheckingChange, isChecking)
  return (
    <p role="status" className="text-center text-sm text-muted empty:hidden">
      {isRunning ? 'Checking your browser...' : ''}
    </p>
  )
}
