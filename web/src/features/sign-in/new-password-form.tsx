import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { newPasswordProblem, PASSWORD_MIN } from '../../lib/session/form-rules.ts'
import { useSession } from '../../lib/session/session.tsx'
import { signedInByEmail } from '../../lib/session/token-claims.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import type { FormState } from '../../ui/use-form.ts'
import { AccountForm } from './account-form.tsx'

/**
 * Changes the password. The current password is required as proof, unless the account has none or the user has just
 * signed in by email.
 */
export function NewPasswordForm({ onDone }: { onDone: () => void }) {
  const { me, email } = useSession()
  const [asksCurrent] = useState(() => {
    const state = authClient.state()
    return state.status !== 'signed-in' || !signedInByEmail(state.session.access_token, Date.now())
  })
  const [current, setCurrent] = useState('')
  const newPassword = useNewPassword()
  const needsCurrent = asksCurrent && me?.hasPassword !== false
  const form = useAccountForm({
    failureTitle: 'Password Not Changed',
    check: () => {
      if (needsCurrent && current === '') {
        return { field: 'current', description: 'Please enter your current password' }
      }
      return newPasswordProblem(newPassword.values)
    },
    send: async () => {
      await authClient.changePassword(newPassword.values.password, needsCurrent ? current : undefined)
      toast({
        title: 'Password Changed',
        description: 'Your other devices have been signed out.',
        tone: 'success',
      })
      setCurrent('')
      newPassword.clear()
      onDone()
    },
    fieldOfCode: { invalid_credentials: 'current', reauthentication_needed: 'current' },
  })

  return (
    <AccountForm form={form} button="Save Password" busyButton="Saving...">
      {/* Lets password managers see whose password this is. */}
      <input type="email" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
      {needsCurrent && (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          required
          {...form.field('current')}
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
      )}
      <NewPasswordFields form={form} label="New password" newPassword={newPassword} />
    </AccountForm>
  )
}

const EMPTY = { password: '', confirmation: '' }

/** The values of {@link NewPasswordFields}. */
export function useNewPassword() {
  const [values, setValues] = useState(EMPTY)
  return {
    values,
    change: (part: Partial<typeof EMPTY>) => setValues((known) => ({ ...known, ...part })),
    clear: () => setValues(EMPTY),
  }
}

/** A new password and its repetition, the fields `password` and `confirmation` of the form. */
export function NewPasswordFields(props: {
  form: Pick<FormState, 'field'>
  /** Default: "Password". */
  label?: string
  newPassword: ReturnType<typeof useNewPassword>
}) {
  const { form, label = 'Password', newPassword } = props
  return (
    <>
      <PasswordField
        label={label}
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN} characters`}
        required
        {...form.field('password')}
        value={newPassword.values.password}
        onChange={(event) => newPassword.change({ password: event.target.value })}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        required
        {...form.field('confirmation')}
        value={newPassword.values.confirmation}
        onChange={(event) => newPassword.change({ confirmation: event.target.value })}
      />
    </>
  )
}
