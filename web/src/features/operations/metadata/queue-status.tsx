import type { MetadataStatusReport } from '@looptide/contracts/http/metadata'
import { clockTime } from '../../../lib/time/clock-time.ts'
import { dateLocale } from '../../../lib/time/date-locale.ts'

/** Number of lookups by state, and today's quota usage. */
export function QueueStatus({ report }: { report: MetadataStatusReport }) {
  const { mode, queued, fetching, failed, quotaUsed, quotaLimit, quotaResetsAtMs, pausedUntilMs } = report
  return (
    <div className="grid gap-3 rounded-lg border border-line/70 bg-panel p-4">
      <dl className="grid grid-cols-3 gap-3">
        <Figure name="Queued" value={queued} />
        <Figure name="Fetching" value={fetching} />
        <Figure name="Failed" value={failed} />
      </dl>
      {mode === 'keyless' || quotaLimit === null ? (
        <p className="text-sm text-muted">
          Keyless mode: metadata is read from YouTube’s public pages, without a quota. Set YOUTUBE_API_KEY to
          use the YouTube Data API.
        </p>
      ) : (
        <div className="grid gap-1.5">
          <p className="text-sm">
            YouTube Data API: {quotaUsed.toLocaleString(dateLocale)} of{' '}
            {quotaLimit.toLocaleString(dateLocale)} units used today
            {quotaResetsAtMs !== null && `, resets at ${clockTime(quotaResetsAtMs)}`}.
          </p>
          <progress
            aria-label="Quota used today"
            max={quotaLimit}
            value={Math.min(quotaUsed, quotaLimit)}
            className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
          />
        </div>
      )}
      {pausedUntilMs !== null && (
        <p role="status" className="text-sm font-medium">
          ⚠ Paused until {clockTime(pausedUntilMs)}: YouTube accepts no more requests until then.
        </p>
      )}
    </div>
  )
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-xl font-semibold tabular-nums">{value.toLocaleString(dateLocale)}</dd>
    </div>
  )
}
