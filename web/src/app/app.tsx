import { Suspense, useSyncExternalStore } from 'react'
import { SWRConfig } from 'swr'
import { SWR_OPTIONS } from '../lib/api/swr-options.ts'
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
  return (
    <>
      {proof === 'factor' && <FactorDialog onClose={cancelProof} />}
      {proof === 'sign-in' && <SignInAgainDialog onClose={cancelProof} />}
      {/* Without a network the page works without it; it is loaded when the network returns. */}
      <PartBoundary>
        <Suspense>
          <PageBehaviour />
        </Suspense>
      </PartBoundary>
    </>
  )
}
