import type { AdminUser, Restriction } from '@looptide/contracts/http/users'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { nameOf, ROLE_WORDS } from './person-words.ts'
import { RestrictionLine } from './restriction-line.tsx'

/** Somebody with role and restrictions. One's own row cannot be selected or banned (admin specification §6). */
export function PersonRow(props: {
  person: AdminUser
  isOwn: boolean
  isSelected: boolean
  isBusy: boolean
  onSelect: () => void
  onBan: () => void
  onRole: () => void
  onRemove: (restriction: Restriction) => void
}) {
  const { person, isOwn, isSelected, isBusy } = props
  const name = nameOf(person)
  const isBanned = person.restrictions.some(({ restrictionType }) => restrictionType === 'site_banned')
  return (
    <li
      className={classNames(
        'grid gap-2 p-2 [contain-intrinsic-height:auto_4.5rem] [content-visibility:auto]',
        isSelected && 'bg-raised',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {isOwn ? (
          <div className="flex min-w-0 flex-1 basis-52 items-center gap-3 p-2">
            <Identity person={person} note="You" />
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
            <Identity person={person} note={isSelected ? 'Selected' : undefined} />
          </button>
        )}
        <div className="flex gap-2">
          <Button
            aria-label={`${ROLE_WORDS[person.role].label}: change role of ${name}`}
            disabled={isBusy}
            onClick={props.onRole}
          >
            {ROLE_WORDS[person.role].label}
          </Button>
          {!isOwn && !isBanned && (
            <Button
              icon="ban"
              aria-label={`Ban ${name} from the site`}
              disabled={isBusy}
              onClick={props.onBan}
            >
              Ban
            </Button>
          )}
        </div>
      </div>
      {person.restrictions.length > 0 && (
        <ul aria-label={`Restrictions of ${name}`} className="grid gap-1 pb-1 pl-2 sm:pl-16">
          {person.restrictions.map((restriction) => (
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

function Identity({ person, note }: { person: AdminUser; note: string | undefined }) {
  const { artistName, avatarUrl } = person.profile
  return (
    <>
      <Avatar name={nameOf(person)} url={avatarUrl} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <span className="truncate font-medium">{nameOf(person)}</span>
          {note && <span className="shrink-0 text-sm font-semibold text-link">{note}</span>}
        </span>
        <span className="block truncate text-sm text-muted">
          {artistName && `${artistName} · `}
          {person.email}
        </span>
      </span>
    </>
  )
}
