import type { Role } from '@looptide/contracts/common'
import type { AdminUser } from '@looptide/contracts/http/users'
import { may, ROLES } from '@looptide/contracts/permissions'
import { useId, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { nameOf, ROLE_LABELS } from './user-labels.ts'

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
      <fieldset className="grid gap-1">
        <legend className="sr-only">Role</legend>
        {ROLES.map((id) => (
          <RoleOption key={id} role={id} isChosen={id === role} onChoose={() => setRole(id)} />
        ))}
      </fieldset>
      <p className="text-sm text-text empty:hidden" aria-live="polite">
        {isOwn && !may(role, 'users:manage') && <strong className="font-semibold">⚠ {lossText(role)}</strong>}
      </p>
    </ConfirmDialog>
  )
}

function RoleOption(props: { role: Role; isChosen: boolean; onChoose: () => void }) {
  const { role, isChosen, onChoose } = props
  const id = useId()
  const { label, text } = ROLE_LABELS[role]
  return (
    <label
      className={classNames(
        'relative flex min-h-11 cursor-pointer items-start gap-3 rounded-md border px-3 py-2 hover:bg-raised',
        isChosen ? 'border-accent bg-raised' : 'border-transparent',
      )}
    >
      <input
        type="radio"
        name="role"
        className="mt-0.5 size-5 shrink-0 accent-primary"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-text`}
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="grid">
        <span id={`${id}-label`} className="font-semibold text-text">
          {label}
        </span>
        <span id={`${id}-text`} className="text-sm">
          {text}
        </span>
      </span>
    </label>
  )
}

const lossText = (role: Role): string =>
  may(role, 'dashboard:watch')
    ? 'You will lose access to parts of the admin dashboard.'
    : 'You will lose access to the admin dashboard.'
