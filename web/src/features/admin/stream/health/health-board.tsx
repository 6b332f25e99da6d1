import type { HealthReport } from '@looptide/contracts/http/admin'
import useSWR from 'swr'
import { api } from '../../../../lib/clients.ts'
import { clockTime } from '../../../../lib/clock-time.ts'
import { classNames } from '../../../../ui/class-names.ts'
import { Icon } from '../../../../ui/icon.tsx'
import { ErrorNotice } from '../../../../ui/notice.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'

/** As often as the gateway itself asks the services (ms). */
const LOOK_MS = 5_000
const SERVICES = 7

/** How every service does, as the gateway sees it. */
export function HealthBoard() {
  const { data, error, mutate } = useSWR(
    ['/api/health', 'desk'],
    ([path]) => api.get<HealthReport>(path, { anonymous: true }),
    { refreshInterval: LOOK_MS },
  )
  // An old answer would look like a healthy station.
  const results = error ? undefined : data?.results
  if (!results) {
    if (error) return <ErrorNotice text="The station does not answer." onRetry={() => void mutate()} />
    return (
      <div
        role="status"
        aria-label="Loading the services"
        className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3"
      >
        {Array.from({ length: SERVICES }, (_, index) => (
          <Skeleton key={String(index)} className="h-20" />
        ))}
      </div>
    )
  }
  const ill = results.filter(({ healthy }) => !healthy)
  return (
    <section aria-labelledby="health" className="grid gap-4">
      <h3 id="health" className="text-lg font-semibold">
        Service health
      </h3>
      <p role="status">
        {ill.length === 0
          ? 'All services are well.'
          : `Not well: ${ill.map(({ service }) => service).join(', ')}.`}
      </p>
      <ul className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3">
        {results.map(({ service, healthy, detail, checkedAtMs }) => (
          <li
            key={service}
            className={classNames(
              'flex items-start gap-3 rounded-lg border bg-panel p-4',
              healthy ? 'border-line/70' : 'border-live',
            )}
          >
            <Icon name={healthy ? 'check' : 'ban'} className="mt-0.5 size-5 shrink-0" />
            <div className="min-w-0">
              <p className="font-medium">{service}</p>
              <p className="text-sm [overflow-wrap:anywhere]">
                {healthy ? 'Healthy' : `Unhealthy: ${detail}`}
              </p>
              {checkedAtMs > 0 && <p className="text-sm text-muted">Checked at {clockTime(checkedAtMs)}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
