import type { ConflictingRestriction } from '../../lib/session/restrictions.ts'
import { useSession } from '../../lib/session/session.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { SignInDialog } from './sign-in-dialog.tsx'
import type { PendingAction, UserActions } from './use-pending-action.ts'
import { nameOf } from './user-labels.ts'

/** The dialog of the action that waits for confirmation. */
export function PendingActionDialog(props: {
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
  if (pending.kind === 'sign-in') {
    return (
      <SignInDialog
        user={user}
        isBusy={actions.isBusy}
        onSignOut={() => void onConfirm(actions.signOut(user))}
        onReset={() => void onConfirm(actions.demandPassword(user))}
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
