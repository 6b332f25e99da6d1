import type { AddRestrictionBody, AdminUser } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { useMediaQuery } from '../../../lib/browser/use-media-query.ts'
import type { ConflictingRestriction } from '../../../lib/session/restrictions.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useDebounced } from '../../../lib/time/use-debounced.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useUsers } from './api.ts'
import { RestrictionForm } from './restriction-form.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { useUserActions } from './use-user-actions.ts'
import { nameOf } from './user-labels.ts'
import { UserRow } from './user-row.tsx'

const SEARCH_DELAY_MS = 250

/** Users with their restrictions and roles. Renders nothing for non-admins (docs/product/admin.md §6). */
export function UserManagement() {
  const { isAdmin } = useSession()
  return isAdmin ? <Management /> : null
}

/** An action that waits for confirmation. `settle` reports to the form whether the restriction was added. */
type PendingAction =
  | { kind: 'role'; user: AdminUser }
  | { kind: 'ban'; user: AdminUser }
  | { kind: 'add'; user: AdminUser; body: AddRestrictionBody; settle: Settle }
  | { kind: 'replace'; user: AdminUser; body: AddRestrictionBody; text: string; settle: Settle }

type Settle = (isAdded: boolean) => void

type UserActions = ReturnType<typeof useUserActions>

/** Holds the action that waits for confirmation, and runs it once it is confirmed. */
function usePendingAction(actions: UserActions) {
  const [pending, setPending] = useState<PendingAction>()
  // A site ban ends all sessions of the user, so it needs a confirmation.
  const add = (user: AdminUser, body: AddRestrictionBody): Promise<boolean> => {
    return new Promise((settle) => {
      if (body.restrictionType === 'site_banned') setPending({ kind: 'add', user, body, settle })
      else void settleWith(actions.add(user, body), { user, body, settle })
    })
  }
  /** Settles with the result of adding a restriction. If one is in force, asks first whether to replace it. */
  const settleWith = async (
    work: Promise<boolean | ConflictingRestriction>,
    request: Pick<PendingAction & { kind: 'add' }, 'user' | 'body' | 'settle'>,
  ) => {
    const result = await work
    if (typeof result === 'boolean') {
      request.settle(result)
      setPending(undefined)
    } else {
      const body = { ...request.body, replaces: result.id }
      setPending({ ...request, kind: 'replace', body, text: result.text })
    }
  }
  const close = () => {
    if (pending && 'settle' in pending) pending.settle(false)
    setPending(undefined)
  }
  const settlePending = async (work: Promise<boolean | ConflictingRestriction>) => {
    if (pending && 'settle' in pending) return settleWith(work, pending)
    await work
    setPending(undefined)
  }
  return { pending, request: setPending, add, close, settlePending }
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
      <Confirmation pending={pending} actions={actions} onClose={close} onConfirm={settlePending} />
    </section>
  )
}

/** The dialog of the action that waits for confirmation. */
function Confirmation(props: {
  pending: PendingAction | undefined
  actions: UserActions
  onClose: () => void
  onConfirm: (work: Promise<boolean | ConflictingRestriction>) => Promise<void>
}) {
  const { pending, actions, onClose, onConfirm } = props
  const { userId } = useSession()
  if (!pending) return null
  const { user } = pending
  if (pending.kind === 'role') {
    return (
      <RoleDialog
        user={user}
        isOwn={user.id === userId}
        isBusy={actions.isBusy}
        onChange={(role) => void onConfirm(actions.changeRole(user, role))}
        onClose={onClose}
      />
    )
  }
  if (pending.kind === 'replace') {
    return (
      <ConfirmDialog
        title={`Replace the restriction of ${nameOf(user)}?`}
        confirmLabel="Replace"
        isBusy={actions.isBusy}
        onConfirm={() => void onConfirm(actions.add(user, pending.body))}
        onCancel={onClose}
      >
        <p className="[overflow-wrap:anywhere]">{pending.text}</p>
        <p>The new restriction replaces it.</p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog
      title={`Ban ${nameOf(user)} from the site?`}
      confirmLabel="Ban from Site"
      isBusy={actions.isBusy}
      onConfirm={() =>
        void onConfirm(pending.kind === 'add' ? actions.add(user, pending.body) : actions.ban(user))
      }
      onCancel={onClose}
    >
      <p>All their sessions end immediately, and they cannot sign in until the restriction is removed.</p>
    </ConfirmDialog>
  )
}

function UserList(props: {
  list: ReturnType<typeof useUsers>
  isSearching: boolean
  isBusy: boolean
  selectedId: string | undefined
  onSelect: (user: AdminUser) => void
  onRequest: (kind: 'role' | 'ban', user: AdminUser) => void
  onRemove: (user: AdminUser, restriction: AdminUser['restrictions'][number]) => void
}) {
  const { list } = props
  const { userId } = useSession()
  if (!list.users) {
    if (list.error) return <ErrorNotice text="Failed to load users." onRetry={list.reload} />
    return (
      <div role="status" aria-label="Loading users" className="grid gap-2">
        {Array.from({ length: 8 }, (_, index) => (
          <Skeleton key={String(index)} className="h-16" />
        ))}
      </div>
    )
  }
  if (list.users.length === 0) {
    return props.isSearching ? (
      <EmptyNotice title="No users found">Try part of the handle, artist name or email.</EmptyNotice>
    ) : (
      <EmptyNotice title="No users yet" />
    )
  }
  return (
    <>
      <ul aria-label="Users" className="divide-y divide-line rounded-lg border border-line/70 bg-panel">
        {list.users.map((user) => (
          <UserRow
            key={user.id}
            user={user}
            isOwn={user.id === userId}
            isSelected={user.id === props.selectedId}
            isBusy={props.isBusy}
            onSelect={() => props.onSelect(user)}
            onBan={() => props.onRequest('ban', user)}
            onRole={() => props.onRequest('role', user)}
            onRemove={(restriction) => props.onRemove(user, restriction)}
          />
        ))}
      </ul>
      {list.hasMore && (
        <Button className="justify-self-center" aria-disabled={list.isLoadingMore} onClick={list.loadMore}>
          Show more
        </Button>
      )}
    </>
  )
}
