import type { PersonalToken } from '@looptide/contracts/http/personal-tokens'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { timeAgo } from '../../../lib/time/time-ago.ts'
import { Button } from '../../../ui/button.tsx'

/** A token of the list: name, scopes, end and last use. */
export function TokenRow({ token, onRevoke }: { token: PersonalToken; onRevoke: () => void }) {
  const { name, scopes, expiresAt, lastUsedAt } = token
  const nowMs = Date.now()
  const isExpired = Date.parse(expiresAt) <= nowMs
  const end = new Date(expiresAt).toLocaleDateString(dateLocale, { dateStyle: 'medium' })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-line/70 bg-panel px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="truncate font-medium">{name}</p>
        <p className="text-sm text-muted">{scopes.join(', ')}</p>
        <p className="text-sm text-muted">
          {isExpired ? <span className="font-semibold text-text">Expired {end}</span> : `Expires ${end}`} ·{' '}
          {lastUsedAt === null ? 'not used yet' : `last used ${timeAgo(lastUsedAt, nowMs)}`}
        </p>
      </div>
      <Button
        tone="plain"
        aria-label={`${isExpired ? 'Remove' : 'Revoke'} ${name}`}
        className="-mx-3"
        onClick={onRevoke}
      >
        {isExpired ? 'Remove' : 'Revoke'}
      </Button>
    </li>
  )
}
