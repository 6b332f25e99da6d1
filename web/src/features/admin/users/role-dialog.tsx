import type { Role } from '@looptide/contracts/common'
import type { AdminUser } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { Choice } from '../../../ui/choice.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { nameOf, ROLE_LABELS } from './user-labels.ts'

const ROLES: readonly Role[] = ['user', 'moderator', 'admin']

/** Dialog to change a user's role. */
export function RoleDialog(props: {
  user: AdminUser
  isOwn: boolean
  isBusy: boolean
  onChange: (role: Role) => void
  onClose: () => void
}) {
  const { user, isOwn } = props
  const [role, setRole] = useState(user.role)
  return (
    <ConfirmDialog
      title={`Role of ${nameOf(user)}`}
      confirmLabel="Change Role"
      tone="primary"
      isBusy={props.isBusy}
      isBlocked={role === user.role}
      onConfirm={() => props.onChange(role)}
      onCancel={props.onClose}
    >
      <p className="text-sm">The change takes effect immediately on all devices.</p>
      <Choice
        label="Role"
        isLabelHidden
        options={ROLES.map((id) => ({ id, label: ROLE_LABELS[id].label }))}
        value={role}
        onChange={setRole}
      />
      <p className="text-sm text-text" aria-live="polite">
        {ROLE_LABELS[role].text}
        {isOwn && role !== 'admin' && (
          <strong className="mt-2 block font-semibold">⚠ You will lose access to the admin dashboard.</strong>
        )}
      </p>
    </ConfirmDialog>
  )
}
