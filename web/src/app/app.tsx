import { lazy, Suspense, useSyncExternalStore } from 'react'
import { SWRConfig } from 'swr'
import { ApiError } from '../lib/api/api-error.ts'
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
            <AppRoutes />
            <DeferredLayer />
          </PageRouter>
        </SessionProvider>
      </SWRConfig>
    </ErrorBoundary>
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
