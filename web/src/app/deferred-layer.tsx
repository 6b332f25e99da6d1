import { lazy, Suspense } from 'react'

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))
const SubmissionNews = lazy(async () => ({
  default: (await import('../features/playlists/submission-news.tsx')).SubmissionNews,
}))
const PageBehaviour = lazy(async () => ({ default: (await import('./page-behaviour.tsx')).PageBehaviour }))

/** Parts of every page that are not needed for the first view; loaded after it. */
export function DeferredLayer() {
  return (
    <>
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
