import { lazy, Suspense, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { ApiError } from '../lib/api/api-error.ts'
import { useIsOnline } from '../lib/browser/use-is-online.ts'
import { paths } from '../lib/paths.ts'
import { proofPrompt } from '../lib/session/proof-prompt.ts'
import { SessionProvider } from '../lib/session/session.tsx'
import { ThemeSetter } from '../lib/theme/theme-setter.tsx'
import { AppRoutes } from './app-routes.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { PageRouter } from './page-router.tsx'

const swr = {
  /** Retries outages only: a refusal would be repeated. */
  shouldRetryOnError: (error: unknown) => !(error instanceof ApiError) || error.isOutage,
  errorRetryInterval: 4_000,
  dedupingInterval: 2_000,
}

/** The root of the app: session, requests, theme and pages. */
export function App() {
  return (
    <ErrorBoundary>
      <SWRConfig value={swr}>
        <SessionProvider>
          <PageRouter>
            <ThemeSetter />
            <OfflineBanner />
            <AppRoutes />
            <DeferredLayer />
          </PageRouter>
        </SessionProvider>
      </SWRConfig>
    </ErrorBoundary>
  )
}

/** A banner at the bottom while the browser is offline. The live page has its own message. */
function OfflineBanner() {
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

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))
const SubmissionNews = lazy(async () => ({
  default: (await import('../features/playlists/submission-news.tsx')).SubmissionNews,
}))
const FactorDialog = lazy(async () => ({
  default: (await import('../features/sign-in/factor-dialog.tsx')).FactorDialog,
}))
const SignInAgainDialog = lazy(async () => ({
  default: (await import('../features/sign-in/sign-in-again-dialog.tsx')).SignInAgainDialog,
}))
const PageBehaviour = lazy(async () => ({ default: (await import('./page-behaviour.tsx')).PageBehaviour }))

/** Parts of every page that are not needed for the first view; loaded after it. */
function DeferredLayer() {
  const proof = useSyncExternalStore(proofPrompt.onChange, proofPrompt.kind)
  return (
    <>
      <Suspense>
        {proof === 'factor' && <FactorDialog />}
        {proof === 'sign-in' && <SignInAgainDialog />}
      </Suspense>
      <Suspense>
        <PageBehaviour />
      </Suspense>
      <Suspense>
        <SubmissionNews />
      </Suspense>
      <Suspense>
        <Toaster />
      </Suspense>
    </>
  )
}
