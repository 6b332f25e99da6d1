import type { Passkey } from '@looptide/contracts/http/passkeys'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'

/** A passkey of the list: name, times, and its actions. */
export function PasskeyRow(props: { passkey: Passkey; onRename: () => void; onRemove: () => void }) {
  const { friendly_name: name, created_at: createdAt, last_used_at: lastUsedAt } = props.passkey
  const nowMs = Date.now()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line/70 bg-panel px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-muted">
          Added {timeAgo(createdAt, nowMs)} ·{' '}
          {lastUsedAt === undefined ? 'not used yet' : `last used ${timeAgo(lastUsedAt, nowMs)}`}
        </p>
      </div>
      <div className="-mx-3 flex">
        <Button tone="plain" aria-label={`Rename ${name}`} onClick={props.onRename}>
          Rename
        </Button>
        <Button tone="plain" aria-label={`Remove ${name}`} onClick={props.onRemove}>
          Remove
        </Button>
      </div>
    </li>
  )
}
