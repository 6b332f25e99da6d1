import { useState } from 'react'
import { PASSWORD_MIN } from '../../lib/session/form-rules.ts'
import { PasswordField } from '../../ui/password-field.tsx'
import type { FormState } from '../../ui/use-form.ts'

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
