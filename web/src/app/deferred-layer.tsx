import { lazy, Suspense, useSyncExternalStore } from 'react'
import { proofPrompt } from '../lib/session/proof-prompt.ts'

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
export function DeferredLayer() {
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
