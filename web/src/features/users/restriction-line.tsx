import type { RestrictionType } from '@looptide/contracts/common'
import type { Restriction } from '@looptide/contracts/http/users'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { endText, RESTRICTION_LABELS } from './user-labels.ts'

/** Badge colors of docs/product/admin.md §2: yellow, red and orange. */
const COLORS: Record<RestrictionType, string> = {
  chat_banned: 'bg-caution text-on-caution',
  site_banned: 'bg-live text-on-live',
  restricted: 'bg-warning text-on-caution',
}

function RestrictionBadge({ type }: { type: RestrictionType }) {
  return (
    <span
      className={classNames(
        'shrink-0 rounded-full px-2.5 py-1 text-xs font-semibold whitespace-nowrap',
        COLORS[type],
      )}
    >
      {RESTRICTION_LABELS[type].label}
    </span>
  )
}

/** An active restriction: type, reason, end and a button to remove it. */
export function RestrictionLine(props: {
  restriction: Restriction
  name: string
  isBusy: boolean
  onRemove: () => void
}) {
  const { restriction, name, isBusy, onRemove } = props
  const { label } = RESTRICTION_LABELS[restriction.restrictionType]
  return (
    <li className="flex items-center gap-3 text-sm">
      <RestrictionBadge type={restriction.restrictionType} />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {restriction.reason} <span className="text-muted">({endText(restriction)})</span>
      </span>
      <IconButton
        icon="close"
        label={`Remove restriction: ${label}, ${name}`}
        aria-disabled={isBusy}
        onClick={() => isBusy || onRemove()}
      />
    </li>
  )
}
