import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { soonAfterLoad } from '../lib/browser/after-load.ts'
import { part } from '../lib/browser/part.tsx'
import { PartBoundary } from '../lib/browser/part-boundary.tsx'
import { authClient } from '../lib/clients.ts'
import { pairedSessionOf } from '../lib/session/token-claims.ts'
import { useRemoteControl } from './remote-control.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

const TvReceiver = part(async () => (await import('./tv-receiver.ts')).TvReceiver)

const Toaster = part(async () => (await import('../ui/toaster.tsx')).Toaster)
const PageNews = part(async () => (await import('./page-news.tsx')).PageNews)

/** Remote control, on a paired TV also by a phone, focus and scroll position for every page; toasts and news soon after it. */
export function PageBehaviour() {
  useRemoteControl()
  usePageFocus()
  useScrollMemory()
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => soonAfterLoad(() => setLoaded(true)), [])
  return (
    <>
      <Tv />
      {isLoaded && (
        <>
          <Deferred>
            <PageNews />
          </Deferred>
          <Deferred>
            <Toaster />
          </Deferred>
        </>
      )}
    </>
  )
}

/** Lets phones command this page, if it is on a paired TV. */
function Tv() {
  const auth = useSyncExternalStore(authClient.onChange, authClient.state)
  const session = auth.status === 'signed-in' ? auth.session : undefined
  const tv = session && pairedSessionOf(session.access_token)
  if (session === undefined || tv === undefined) return null
  return (
    <Deferred>
      <TvReceiver tv={tv} userId={session.user.id} />
    </Deferred>
  )
}

/** Without a network the page works without the part; it is loaded when the network returns. */
function Deferred({ children }: { children: ReactNode }) {
  return (
    <PartBoundary>
      <Suspense>{children}</Suspense>
    </PartBoundary>
  )
}
