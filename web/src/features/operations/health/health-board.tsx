import { useCall } from '../../../lib/api/use-call.ts'
import { clockTime } from '../../../lib/time/date-locale.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** Reload interval in ms; the gateway checks the services at the same interval. */
const REFRESH_INTERVAL_MS = 5_000
/** Number of placeholders while loading. */
const SERVICE_COUNT = 7

/** Health of every service, as reported by the gateway. */
export function HealthBoard() {
  const { data, error, mutate } = useCall(
    'GET /api/health',
    {},
    { anonymous: true, refreshInterval: REFRESH_INTERVAL_MS },
  )
  // After an error the last report is outdated and must not be shown.
  const results = error ? undefined : data?.results
  if (!results) {
    if (error) return <ErrorNotice text="The server is not responding." onRetry={() => void mutate()} />
    return (
      <div
        role="status"
        aria-label="Loading service health"
        className="grid gap-3 sm:grid-cols-2 2xl:grid-cols-3"
      >
        {Array.from({ length: SERVICE_COUNT }, (_, index) => (
          <Skeleton key={String(index)} className="h-20" />
        ))}
      </div>
    )
  }
  const unhealthy = results.filter(({ healthy }) => !healthy)
  return (
    <section aria-labelledby="health" className="grid gap-4">
      <h3 id="health" className="text-lg font-semibold">
        Service health
      </h3>
      <p role="status">
        {unhealthy.length === 0
          ? 'All services are healthy.'
          : `Unhealthy: ${unhealthy.map(({ service }) => service).join(', ')}.`}
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
