import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { PASSWORD_MIN, signUpProblem } from './form-rules.ts'
import { useSubmit } from './use-submit.ts'

const EMPTY = { fullName: '', email: '', password: '', confirmation: '' }

export function SignUpForm() {
  const [form, setForm] = useState(EMPTY)
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    required: true,
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  })
  const { isBusy, submit } = useSubmit({
    failureTitle: 'Sign Up Failed',
    check: () => signUpProblem(form),
    send: async () => {
      const { needsConfirmation } = await authClient.signUp(
        form.fullName.trim(),
        form.email.trim(),
        form.password,
      )
      setForm(EMPTY)
      toast(
        needsConfirmation
          ? {
              title: 'Check Your Email!',
              description: 'We sent you a confirmation link to finish your sign-up.',
              tone: 'success',
            }
          : {
              title: 'Account Created Successfully!',
              description: 'You can now sign in with your credentials.',
              tone: 'success',
            },
      )
    },
  })

  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <TextField label="Full name" autoComplete="name" maxLength={100} {...field('fullName')} />
      <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN} characters`}
        {...field('password')}
      />
      <PasswordField label="Confirm password" autoComplete="new-password" {...field('confirmation')} />
      <Button type="submit" tone="primary" disabled={isBusy}>
        {isBusy ? 'Creating your account...' : 'Sign Up'}
      </Button>
    </form>
  )
}
