import type { AdminUser, Restriction } from '@looptide/contracts/http/users'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { RestrictionLine } from './restriction-line.tsx'
import { nameOf, ROLE_LABELS } from './user-labels.ts'

/**
 * A user with role and restrictions. Admins cannot select or ban themselves (docs/product/admin.md §6). An anonymous user
 * can have no role, and would lose everything with the session.
 */
export function UserRow(props: {
  user: AdminUser
  isOwn: boolean
  isSelected: boolean
  isBusy: boolean
  onSelect: () => void
  onBan: () => void
  onRole: () => void
  onSignIn: () => void
  onRemove: (restriction: Restriction) => void
}) {
  const { user, isOwn, isSelected, isBusy } = props
  const name = nameOf(user)
  const hasAccount = user.email !== null
  const isBanned = user.restrictions.some(({ restrictionType }) => restrictionType === 'site_banned')
  return (
    <li
      className={classNames(
        'grid gap-2 p-2 first:rounded-t-lg last:rounded-b-lg [contain-intrinsic-height:auto_4.5rem] [content-visibility:auto]',
        isSelected && 'bg-raised',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isOwn ? (
          <div className="flex min-w-0 flex-1 basis-52 items-center gap-3 p-2">
            <Identity user={user} note="You" />
          </div>
        ) : (
          <button
            type="button"
            aria-pressed={isSelected}
            onClick={props.onSelect}
            className={classNames(
              'lift flex min-w-0 flex-1 basis-52 items-center gap-3 rounded-md border p-2 text-left hover:bg-raised',
              isSelected ? 'border-accent' : 'border-transparent',
            )}
          >
            <Identity user={user} note={isSelected ? 'Selected' : undefined} />
          </button>
        )}
        <div className="flex gap-2">
          {hasAccount && (
            <Button
              aria-label={`${ROLE_LABELS[user.role].label}: change role of ${name}`}
              isBusy={isBusy}
              onClick={props.onRole}
            >
              {ROLE_LABELS[user.role].label}
            </Button>
          )}
          {hasAccount && !isOwn && (
            <Button aria-label={`Sign-in of ${name}`} isBusy={isBusy} onClick={props.onSignIn}>
              Sign-in
            </Button>
          )}
          {!isOwn && !isBanned && (
            <Button icon="ban" aria-label={`Ban ${name} from the site`} isBusy={isBusy} onClick={props.onBan}>
              Ban
            </Button>
          )}
        </div>
      </div>
      {user.restrictions.length > 0 && (
        <ul aria-label={`Restrictions of ${name}`} className="grid gap-1 pb-1 pl-2 sm:pl-16">
          {user.restrictions.map((restriction) => (
            <RestrictionLine
              key={restriction.id}
              restriction={restriction}
              name={name}
              isBusy={isBusy}
              onRemove={() => props.onRemove(restriction)}
            />
          ))}
        </ul>
      )}
    </li>
  )
}

function Identity({ user, note }: { user: AdminUser; note: string | undefined }) {
  const { artistName, avatarUrl } = user.profile
  return (
    <>
      <Avatar name={nameOf(user)} url={avatarUrl} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="truncate font-medium">{nameOf(user)}</span>
          {note && <span className="shrink-0 text-sm font-semibold text-link">{note}</span>}
        </span>
        <span className="block text-sm wrap-anywhere text-muted">
          {artistName && (
            <>
              <bdi>{artistName}</bdi> ·{' '}
            </>
          )}
          {user.email ?? 'No account'}
        </span>
      </span>
    </>
  )
}
