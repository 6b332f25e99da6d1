import type { ReactNode } from 'react'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Alerts } from './alerts.tsx'
import { useOverview } from './api.ts'
import { ChannelRows } from './channel-rows.tsx'

/** The whole station at a glance: the channels, what waits for a person, and `children`, the last changes. */
export function ControlRoom({ children }: { children: ReactNode }) {
  const { data, error, mutate } = useOverview()
  return (
    <section aria-labelledby="control-room" className="grid min-w-0 gap-4">
      <h2 id="control-room" className="text-xl font-semibold">
        Control Room
      </h2>
      {data ? (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]">
          <ChannelRows channels={data.channels} />
          <div className="grid min-w-0 gap-6">
            <Alerts overview={data} />
            {children}
          </div>
        </div>
      ) : error ? (
        <ErrorNotice text="Failed to load the channels." onRetry={() => void mutate()} />
      ) : (
        <div role="status" aria-label="Loading channels" className="grid gap-3">
          <Skeleton className="h-30" />
          <Skeleton className="h-30" />
          <Skeleton className="h-30" />
        </div>
      )}
    </section>
  )
}
