import { Suspense, useSyncExternalStore } from 'react'
import { part } from '../lib/browser/part.tsx'
import { PartBoundary } from '../lib/browser/part-boundary.tsx'
import { authClient } from '../lib/clients.ts'
import { pairedSessionOf } from '../lib/session/token-claims.ts'
import { useRemoteControl } from './remote-control.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

const TvReceiver = part(async () => (await import('./tv-receiver.ts')).TvReceiver)

/** Remote control, on a paired TV also by a phone, focus and scroll position for every page. Renders nothing. */
export function PageBehaviour() {
  useRemoteControl()
  usePageFocus()
  useScrollMemory()
  const auth = useSyncExternalStore(authClient.onChange, authClient.state)
  const session = auth.status === 'signed-in' ? auth.session : undefined
  const tv = session && pairedSessionOf(session.access_token)
  if (session === undefined || tv === undefined) return null
  return (
    <PartBoundary>
      <Suspense>
        <TvReceiver tv={tv} userId={session.user.id} />
      </Suspense>
    </PartBoundary>
  )
}
