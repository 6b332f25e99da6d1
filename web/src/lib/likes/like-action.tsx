import { type ComponentProps, Suspense } from 'react'
import { useConfig } from '../api/use-config.ts'
import { part } from '../browser/part.tsx'
import { PartBoundary } from '../browser/part-boundary.tsx'
import type { LikeButton as Button } from './like-button.tsx'

const LikeButton = part(async () => (await import('./like-button.tsx')).LikeButton)

/** The button Like, on a station where audience runs. Its code is loaded with it, and what is around it neither waits for that nor fails with it. */
export function LikeAction(props: ComponentProps<typeof Button>) {
  const { requests } = useConfig()
  return (
    requests && (
      <PartBoundary>
        <Suspense>
          <LikeButton {...props} />
        </Suspense>
      </PartBoundary>
    )
  )
}
