import { lazy, Suspense } from 'react'

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))
const SubmissionNews = lazy(async () => ({
  default: (await import('../features/playlists/submission-news.tsx')).SubmissionNews,
}))
const PageConduct = lazy(async () => ({ default: (await import('./page-conduct.tsx')).PageConduct }))

/** What every page has and no first view waits for: it comes behind it. */
export function Behind() {
  return (
    <>
      <Suspense>
        <PageConduct />
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
