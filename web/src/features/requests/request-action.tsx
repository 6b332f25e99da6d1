import { Suspense } from 'react'
import { useConfig } from '../../lib/api/use-config.ts'
import { part } from '../../lib/browser/part.tsx'
import { PartBoundary } from '../../lib/browser/part-boundary.tsx'

const RequestButton = part(async () => (await import('./request-button.tsx')).RequestButton)

/**
 * The button Request, on a station with requests. Its code is loaded with it, and what is around it neither waits for that nor fails with it.
 */
export function RequestAction(props: { video: { id: string; title: string }; channelId?: string }) {
  const { requests } = useConfig()
  return (
    requests && (
      <PartBoundary>
        <Suspense>
          <RequestButton {...props} />
        </Suspense>
      </PartBoundary>
    )
  )
}
