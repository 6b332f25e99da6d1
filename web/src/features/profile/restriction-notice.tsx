import type { OwnRestriction } from '@looptide/contracts/http/users'
import { dateLocale } from '../../lib/time/date-locale.ts'

const WORDS: Record<OwnRestriction['restrictionType'], string> = {
  restricted: 'Your account is restricted: your public profile cannot be changed.',
  chat_banned: 'You cannot send chat messages.',
  site_banned: 'Your account is banned.',
}

const until = (instant: string): string =>
  new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))

/** The user's restrictions with reason and end. */
export function RestrictionNotice({ restrictions }: { restrictions: OwnRestriction[] }) {
  if (restrictions.length === 0) return null
  return (
    <div role="note" className="grid gap-3 rounded-md border border-accent/60 bg-raised p-4 text-sm">
      {restrictions.map(({ restrictionType, reason, expiresAt }) => (
        <p key={restrictionType}>
          <strong className="block font-semibold">{WORDS[restrictionType]}</strong>
          <span className="wrap-anywhere text-muted">
            Reason: {reason}
            {expiresAt && `. Until ${until(expiresAt)}.`}
          </span>
        </p>
      ))}
    </div>
  )
}
