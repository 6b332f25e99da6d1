import type { AdminUser } from '@looptide/contracts/http/users'
import { useSession } from '../../lib/session/session.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import type { useUsers } from './api.ts'
import { UserRow } from './user-row.tsx'

/** The list of users, each with its actions. */
export function UserList(props: {
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
