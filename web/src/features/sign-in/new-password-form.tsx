import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { newPasswordProblem, PASSWORD_MIN } from '../../lib/session/form-rules.ts'
import { useSession } from '../../lib/session/session.tsx'
import { signedInByEmail } from '../../lib/session/token-claims.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { AccountForm } from './account-form.tsx'
import { useSubmit } from './use-submit.ts'

/**
 * A new password, typed twice, and the one in force as proof. Who has just come by a mailed link has proved it, and
 * who has no password yet has none to name.
 */
export function NewPasswordForm({ onDone, isCompact = false }: { onDone: () => void; isCompact?: boolean }) {
  const { me, email } = useSession()
  const [asksCurrent] = useState(() => {
    const state = authClient.state()
    return state.status !== 'signed-in' || !signedInByEmail(state.session.access_token, Date.now())
  })
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const needsCurrent = asksCurrent && me?.hasPassword !== false
  const submission = useSubmit({
    failureTitle: 'Password Not Changed',
    check: () => {
      if (needsCurrent && current === '') {
        return { field: 'current', description: 'Please enter your current password' }
      }
      return newPasswordProblem({ password, confirmation })
    },
    send: async () => {
      await authClient.changePassword(password, needsCurrent ? current : undefined)
      toast({
        title: 'Password Changed',
        description: 'Your other devices have been signed out.',
        tone: 'success',
      })
      for (const clear of [setCurrent, setPassword, setConfirmation]) clear('')
      onDone()
    },
    fieldOfCode: { invalid_credentials: 'current', reauthentication_needed: 'current' },
  })

  return (
    <AccountForm submission={submission} button="Save Password" busyButton="Saving..." isCompact={isCompact}>
      {/* Tells password managers whose password this is. */}
      <input type="email" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
      {needsCurrent && (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          required
          {...submission.field('current')}
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
      )}
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN} characters`}
        required
        {...submission.field('password')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        required
        {...submission.field('confirmation')}
        value={confirmation}
        onChange={(event) => setConfirmation(event.target.value)}
      />
    </AccountForm>
  )
}
