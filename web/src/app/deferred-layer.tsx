import { lazy, Suspense, useSyncExternalStore } from 'react'
import { factorPrompt } from '../lib/session/factor-prompt.ts'

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))
const SubmissionNews = lazy(async () => ({
  default: (await import('../features/playlists/submission-news.tsx')).SubmissionNews,
}))
const FactorDialog = lazy(async () => ({
  default: (await import('../features/sign-in/factor-dialog.tsx')).FactorDialog,
}))
const PageBehaviour = lazy(async () => ({ default: (await import('./page-behaviour.tsx')).PageBehaviour }))

/** Parts of every page that are not needed for the first view; loaded after it. */
export function DeferredLayer() {
  const needsFactor = useSyncExternalStore(factorPrompt.onChange, factorPrompt.isOpen)
  return (
    <>
      <Suspense>{needsFactor && <FactorDialog />}</Suspense>
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
