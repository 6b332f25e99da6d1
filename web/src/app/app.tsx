import { BrowserRouter } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { ApiError } from '../lib/api/api-error.ts'
import { SessionProvider } from '../lib/session/session.tsx'
import { ThemeSetter } from '../lib/theme/theme-setter.tsx'
import { AppRoutes } from './app-routes.tsx'
import { DeferredLayer } from './deferred-layer.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { OfflineBanner } from './offline-banner.tsx'

const swr = {
  /** Retries outages only: a refusal would be repeated. */
  shouldRetryOnError: (error: unknown) => !(error instanceof ApiError) || error.isOutage,
  errorRetryInterval: 4_000,
  dedupingInterval: 2_000,
}

export function App() {
  return (
    <ErrorBoundary>
      <SWRConfig value={swr}>
        <SessionProvider>
          <BrowserRouter>
            <ThemeSetter />
            <OfflineBanner />
            <AppRoutes />
            <DeferredLayer />
          </BrowserRouter>
        </SessionProvider>
      </SWRConfig>
    </ErrorBoundary>
  )
}
