import type { AdminUser } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { useUsers } from './api.ts'
import { PendingActionDialog } from './pending-action-dialog.tsx'
import { RestrictionForm } from './restriction-form.tsx'
import { usePendingAction } from './use-pending-action.ts'
import { useUserActions } from './use-user-actions.ts'
import { UserList } from './user-list.tsx'

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
