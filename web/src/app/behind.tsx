import { lazy, Suspense } from 'react'

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))
const PageConduct = lazy(async () => ({ default: (await import('./page-conduct.tsx')).PageConduct }))

/** What every page has and no first view waits for: it comes behind it. */
export function Behind() {
  return (
    <>
      <Suspense>
        <PageConduct />
      </Suspense>
      <Suspense>
        <Toaster />
      </Suspense>
    </>
  )
}
