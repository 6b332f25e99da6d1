import type { AdminUser } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { Choice } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { nameOf } from './user-labels.ts'

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
export function SignInDialog(props: {
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
