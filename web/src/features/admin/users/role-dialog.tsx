import type { Role } from '@looptide/contracts/common'
import type { AdminUser } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { Choice } from '../../../ui/choice.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { nameOf, ROLE_WORDS } from './person-words.ts'

const ROLES: readonly Role[] = ['user', 'moderator', 'admin']

/** Which role somebody is to have; nothing is changed before the last button. */
export function RoleDialog(props: {
  person: AdminUser
  isOwn: boolean
  isBusy: boolean
  onChange: (role: Role) => void
  onClose: () => void
}) {
  const { person, isOwn } = props
  const [role, setRole] = useState(person.role)
  return (
    <ConfirmDialog
      title={`Role of ${nameOf(person)}`}
      confirmLabel="Change Role"
      tone="primary"
      isBusy={props.isBusy}
      isBlocked={role === person.role}
      onConfirm={() => props.onChange(role)}
      onCancel={props.onClose}
    >
      <p className="text-sm">The change holds at once, in every browser.</p>
      <Choice
        label="Role"
        isLabelHidden
        options={ROLES.map((id) => ({ id, label: ROLE_WORDS[id].label }))}
        value={role}
        onChange={setRole}
      />
      <p className="text-sm text-text" aria-live="polite">
        {ROLE_WORDS[role].text}
        {isOwn && role !== 'admin' && (
          <strong className="mt-2 block font-semibold">
            ⚠ You would give up your own place at this desk.
          </strong>
        )}
      </p>
    </ConfirmDialog>
  )
}
