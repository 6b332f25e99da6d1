import type { StreamStatus } from '@looptide/contracts/http/channels'
import { classNames } from '../../ui/class-names.ts'

/** docs/product/admin.md §2, "24/7 Stream Manager". */
export const STATUS_LABELS: Record<StreamStatus, string> = {
  idle: 'Offline',
  syncing: 'Syncing...',
  live: 'Live 24/7',
}

/** The status of a stream, announced to screen readers when it changes. */
export function StatusBadge({ status }: { status: StreamStatus }) {
  return (
    <span
      role="status"
      className={classNames(
        'inline-flex shrink-0 items-center gap-2 rounded-full px-3 py-1 text-sm font-semibold',
        status === 'live' ? 'bg-live text-on-live' : 'bg-raised text-text',
      )}
    >
      <span
        aria-hidden="true"
        className={classNames('size-2 rounded-full bg-current', status === 'syncing' && 'animate-breathe')}
      />
      {STATUS_LABELS[status]}
    </span>
  )
}
