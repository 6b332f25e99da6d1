import { Suspense } from 'react'
import { useConfig } from '../api/use-config.ts'
import { part } from '../browser/part.tsx'
import { PartBoundary } from '../browser/part-boundary.tsx'
import type { ReminderTarget } from './reminder-api.ts'

const RemindButton = part(async () => (await import('./remind-button.tsx')).RemindButton)

/** The button Remind Me, on a station where audience runs. Its code is loaded with it, and what is around it neither waits for that nor fails with it. */
export function RemindAction(props: { target: ReminderTarget; label?: string }) {
  const { requests } = useConfig()
  return (
    requests && (
      <PartBoundary>
        <Suspense>
          <RemindButton {...props} />
        </Suspense>
      </PartBoundary>
    )
  )
}
