import type { Role } from '@looptide/contracts/common'
import type { AddRestrictionBody, AdminUser } from '@looptide/contracts/http/users'
import { may, ROLES } from '@looptide/contracts/permissions'
import { useId, useState } from 'react'
import type { ConflictingRestriction } from '../../lib/session/restrictions.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Choice } from '../../ui/choice.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import type { useUserActions } from './use-user-actions.ts'
import { nameOf, ROLE_LABELS } from './user-labels.ts'

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

/** Dialog to change a user's role. */
function RoleDialog(props: {
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

const ACTIONS = {
  sessions: {
    label: 'Sign Out',
    confirmLabel: 'Sign Out Everywhere',
    text: 'All their sessions end immediately. They can sign in again.',
  },
  password: {
    label: 'Reset Password',
    confirmLabel: 'Reset Password',
    text: 'Their password no longer works, and all their sessions end immediately. They get an email to choose a new one. Emailed links and passkeys still work.',
  },
} as const

type Action = keyof typeof ACTIONS

/** Dialog to end a user's sessions or to reset the password. */
function SignInDialog(props: {
  user: AdminUser
  isBusy: boolean
  onSignOut: () => void
  onReset: () => void
  onClose: () => void
}) {
  const [action, setAction] = useState<Action>('sessions')
  const { confirmLabel, text } = ACTIONS[action]
  return (
    <ConfirmDialog
      title={`Sign-in of ${nameOf(props.user)}`}
      confirmLabel={confirmLabel}
      isBusy={props.isBusy}
      onConfirm={action === 'sessions' ? props.onSignOut : props.onReset}
      onCancel={props.onClose}
    >
      <Choice
        label="Action"
        isLabelHidden
        options={[
          { id: 'sessions', label: ACTIONS.sessions.label },
          { id: 'password', label: ACTIONS.password.label },
        ]}
        value={action}
        onChange={setAction}
      />
      <p className="text-sm text-text" aria-live="polite">
        {text}
      </p>
    </ConfirmDialog>
  )
}

/** An action that waits for confirmation. `settle` reports to the form whether the restriction was added. */
type PendingAction =
  | { kind: 'role'; user: AdminUser }
  | { kind: 'ban'; user: AdminUser }
  | { kind: 'sign-in'; user: AdminUser }
  | { kind: 'add'; user: AdminUser; body: AddRestrictionBody; settle: Settle }
  | { kind: 'replace'; user: AdminUser; body: AddRestrictionBody; text: string; settle: Settle }

type Settle = (isAdded: boolean) => void

type UserActions = ReturnType<typeof useUserActions>

/** Holds the action that waits for confirmation, and runs it once it is confirmed. */
export function usePendingAction(actions: UserActions) {
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
