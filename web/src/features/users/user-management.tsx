import type { RestrictionType } from '@looptide/contracts/common'
import type { AdminUser, Restriction } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { useUsers } from './api.ts'
import { PendingActionDialog, usePendingAction } from './pending-action-dialog.tsx'
import { RestrictionForm } from './restriction-form.tsx'
import { useUserActions } from './use-user-actions.ts'
import { endText, nameOf, RESTRICTION_LABELS, ROLE_LABELS } from './user-labels.ts'

const SEARCH_DELAY_MS = 250

/** Users with their restrictions and roles. Renders nothing without the permission (docs/product/admin.md §6). */
export function UserManagement() {
  const { may } = useSession()
  return may('users:manage') ? <Management /> : null
}

function Management() {
  // On wide screens the form is beside the list; on narrow ones it is a dialog for the selected user.
  const isWide = useMediaQuery('(min-width: 64rem)')
  const [search, setSearch] = useState('')
  const list = useUsers(useDebounced(search.trim(), SEARCH_DELAY_MS))
  const actions = useUserActions(list.reload)
  const [selected, setSelected] = useState<AdminUser>()
  const { pending, request, add, close, settlePending } = usePendingAction(actions)

  return (
    <section aria-labelledby="user-management" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 id="user-management" className="text-xl font-semibold">
        User Management
      </h2>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <TextField
            label="Search users"
            type="search"
            maxLength={100}
            placeholder="Handle, artist name or email"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <UserList
            list={list}
            isSearching={search.trim() !== ''}
            isBusy={actions.isBusy}
            selectedId={selected?.id}
            onSelect={(user) => setSelected(user.id === selected?.id ? undefined : user)}
            onRequest={(kind, user) => request({ kind, user })}
            onRemove={(user, restriction) => void actions.remove(user, restriction)}
          />
        </div>
        {isWide ? (
          <section
            aria-labelledby="add-restriction"
            className="sticky top-22 grid gap-4 rounded-lg border border-line/70 bg-panel p-5"
          >
            <h3 id="add-restriction" className="text-lg font-semibold">
              Add a Restriction
            </h3>
            <RestrictionForm user={selected} isBusy={actions.isBusy} onAdd={add} />
          </section>
        ) : (
          selected && (
            <Dialog title="Add a Restriction" isOpen onClose={() => setSelected(undefined)} width="narrow">
              <RestrictionForm
                user={selected}
                isBusy={actions.isBusy}
                onAdd={async (user, body) => {
                  const isAdded = await add(user, body)
                  if (isAdded) setSelected(undefined)
                  return isAdded
                }}
              />
            </Dialog>
          )
        )}
      </div>
      <PendingActionDialog pending={pending} actions={actions} onClose={close} onConfirm={settlePending} />
    </section>
  )
}

/** The list of users, each with its actions. */
function UserList(props: {
  list: ReturnType<typeof useUsers>
  isSearching: boolean
  isBusy: boolean
  selectedId: string | undefined
  onSelect: (user: AdminUser) => void
  onRequest: (kind: 'role' | 'ban' | 'sign-in', user: AdminUser) => void
  onRemove: (user: AdminUser, restriction: AdminUser['restrictions'][number]) => void
}) {
  const { userId } = useSession()
  return (
    <ListPage
      list={props.list}
      loading="Loading users"
      skeleton={{ count: 8, className: 'h-16' }}
      failed="Failed to load users."
      empty={
        props.isSearching ? (
          <EmptyNotice title="No users found">Try part of the handle, artist name or email.</EmptyNotice>
        ) : (
          <EmptyNotice title="No users yet" />
        )
      }
    >
      {(users) => (
        <ul aria-label="Users" className="divide-y divide-line rounded-lg border border-line/70 bg-panel">
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              isOwn={user.id === userId}
              isSelected={user.id === props.selectedId}
              isBusy={props.isBusy}
              onSelect={() => props.onSelect(user)}
              onBan={() => props.onRequest('ban', user)}
              onSignIn={() => props.onRequest('sign-in', user)}
              onRole={() => props.onRequest('role', user)}
              onRemove={(restriction) => props.onRemove(user, restriction)}
            />
          ))}
        </ul>
      )}
    </ListPage>
  )
}

/**
 * A user with role and restrictions. Admins cannot select or ban themselves (docs/product/admin.md §6). An anonymous user
 * can have no role, and would lose everything with the session.
 */
function UserRow(props: {
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
          <span className="font-medium wrap-anywhere">{nameOf(user)}</span>
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
function RestrictionLine(props: {
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
