import { type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { SWRConfig } from 'swr'
import { SWR_OPTIONS } from '../lib/api/swr-options.ts'
import { soonAfterLoad } from '../lib/browser/after-load.ts'
import { dialogPart, part } from '../lib/browser/part.tsx'
import { PartBoundary } from '../lib/browser/part-boundary.tsx'
import { proofPrompt } from '../lib/session/proof-prompt.ts'
import { SessionProvider } from '../lib/session/session.tsx'
import { ThemeSetter } from '../lib/theme/theme-setter.tsx'
import { AppRoutes } from './app-routes.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { PageRouter } from './page-router.tsx'

/** The root of the app: session, requests, theme and pages. */
export function App() {
  return (
    <ErrorBoundary>
      <SWRConfig value={SWR_OPTIONS}>
        <SessionProvider>
          <PageRouter>
            <ThemeSetter />
            <AppRoutes />
            <DeferredLayer />
          </PageRouter>
        </SessionProvider>
      </SWRConfig>
    </ErrorBoundary>
  )
}

const Toaster = part(async () => (await import('../ui/toaster.tsx')).Toaster)
const UserNews = part(async () => (await import('./user-news.tsx')).UserNews)
const FactorDialog = dialogPart(
  async () => (await import('../features/sign-in/factor-dialog.tsx')).FactorDialog,
)
const SignInAgainDialog = dialogPart(
  async () => (await import('../features/sign-in/sign-in-again-dialog.tsx')).SignInAgainDialog,
)
const PageBehaviour = part(async () => (await import('./page-behaviour.tsx')).PageBehaviour)

const cancelProof = () => proofPrompt.close(false)

/** Parts of every page that are not needed for the first view; loaded after it. */
function DeferredLayer() {
  const proof = useSyncExternalStore(proofPrompt.onChange, proofPrompt.kind)
  const [isShown, setShown] = useState(false)
  useEffect(() => soonAfterLoad(() => setShown(true)), [])
  return (
    <>
      {proof === 'factor' && <FactorDialog onClose={cancelProof} />}
      {proof === 'sign-in' && <SignInAgainDialog onClose={cancelProof} />}
      <Deferred>
        <PageBehaviour />
      </Deferred>
      {isShown && (
        <>
          <Deferred>
            <UserNews />
          </Deferred>
          <Deferred>
            <Toaster />
          </Deferred>
        </>
      )}
    </>
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
