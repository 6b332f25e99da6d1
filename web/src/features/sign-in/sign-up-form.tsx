import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { PASSWORD_MIN, signUpProblem } from '../../lib/session/form-rules.ts'
import { useNextPage } from '../../lib/session/next-page.ts'
import { EmailField } from '../../ui/email-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { AccountForm } from './account-form.tsx'
import { CheckYourEmail } from './check-your-email.tsx'
import type { EmailDraft } from './sign-in-form.tsx'
import { useSubmit } from './use-submit.ts'

/** Makes an account: one is in at once, or has to confirm the address by mail first, as the station is set. */
export function SignUpForm({ email, onEmail }: EmailDraft) {
  const [fullName, setFullName] = useState('')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const nextPage = useNextPage()
  const submission = useSubmit({
    failureTitle: 'Sign Up Failed',
    check: () => signUpProblem({ fullName, email, password, confirmation }),
    send: async () => {
      const address = email.trim()
      const { needsConfirmation } = await authClient.signUp(fullName.trim(), address, password, nextPage)
      setPassword('')
      setConfirmation('')
      if (needsConfirmation) setSentTo(address)
      toast(needsConfirmation ? CHECK_MAIL : CREATED)
    },
  })

  if (sentTo) {
    return (
      <CheckYourEmail
        email={sentTo}
        purpose="confirm"
        onSendAgain={() => authClient.resendConfirmation(sentTo, nextPage)}
        onOtherAddress={() => setSentTo(null)}
      />
    )
  }
  return (
    <AccountForm submission={submission} button="Sign Up" busyButton="Creating your account...">
      <TextField
        label="Full name"
        autoComplete="name"
        maxLength={100}
        required
        {...submission.field('fullName')}
        value={fullName}
        onChange={(event) => setFullName(event.target.value)}
      />
      <EmailField
        {...submission.field('email')}
        value={email}
        onChange={(event) => onEmail(event.target.value)}
      />
      <PasswordField
        label="Password"
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

const CHECK_MAIL = {
  title: 'Check Your Email!',
  description: 'We sent you a confirmation link to finish your sign-up.',
  tone: 'success',
} as const

const CREATED = {
  title: 'Account Created Successfully!',
  description: 'You can now sign in with your credentials.',
  tone: 'success',
} as const
