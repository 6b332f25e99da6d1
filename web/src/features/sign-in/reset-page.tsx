import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { authClient } from '../../lib/clients.ts'
import { useSession } from '../../lib/session.tsx'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { PasswordField, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { newPasswordProblem, PASSWORD_MIN, quickSignInProblem } from './form-rules.ts'
import { NarrowPage } from './narrow-page.tsx'
import { useSubmit } from './use-submit.ts'

/** Asks for a reset mail; for somebody signed in (the mail's link does that), takes the new password. */
export function ResetPage() {
  usePageTitle('Reset your password')
  const { status } = useSession()
  if (status === 'unknown') return null
  return (
    <NarrowPage title={status === 'signed-in' ? 'Choose a new password' : 'Reset your password'}>
      {status === 'signed-in' ? <NewPasswordForm /> : <AskForMailForm />}
    </NarrowPage>
  )
}

function AskForMailForm() {
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { isBusy, submit } = useSubmit({
    failureTitle: 'Failed to Send Code',
    check: () => quickSignInProblem({ email }),
    send: async () => {
      await authClient.requestPasswordReset(email.trim())
      setSentTo(email.trim())
    },
  })

  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <div role="status">
        {sentTo && (
          <p className="text-sm text-muted">
            If there is an account for <strong className="break-words text-text">{sentTo}</strong>, a mail
            with a link is on its way. The link expires in 1 hour.
          </p>
        )}
      </div>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" tone="primary" disabled={isBusy}>
        {isBusy ? 'Sending...' : 'Send Reset Link'}
      </Button>
    </form>
  )
}

function NewPasswordForm() {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const navigate = useNavigate()
  const { isBusy, submit } = useSubmit({
    failureTitle: 'Password Not Changed',
    check: () => newPasswordProblem({ password, confirmation }),
    send: async () => {
      await authClient.changePassword(password)
      toast({
        title: 'Password Changed',
        description: 'Your other devices have been signed out.',
        tone: 'success',
      })
      navigate(paths.root(), { replace: true })
    },
  })

  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${PASSWORD_MIN} characters`}
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        required
        value={confirmation}
        onChange={(event) => setConfirmation(event.target.value)}
      />
      <Button type="submit" tone="primary" disabled={isBusy}>
        {isBusy ? 'Saving...' : 'Save Password'}
      </Button>
    </form>
  )
}
