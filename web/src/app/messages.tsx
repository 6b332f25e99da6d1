import { lazy, Suspense } from 'react'

const Toaster = lazy(async () => ({ default: (await import('../ui/toaster.tsx')).Toaster }))

/** Toasts. Their library is no part of the first view: it comes behind it. */
export function Messages() {
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  )
}
