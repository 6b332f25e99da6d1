import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { signUpProblem } from '../../lib/session/form-rules.ts'
import { useNextPage } from '../../lib/session/next-page.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { EmailField } from '../../ui/email-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { AccountForm } from './account-form.tsx'
import { CheckYourEmail } from './check-your-email.tsx'
import { NewPasswordFields, useNewPassword } from './new-password-form.tsx'
import type { EmailDraft } from './sign-in-form.tsx'

/** The form that creates an account, or why there is none. */
export function SignUpTab({ policy, ...draft }: EmailDraft & { policy: SignUpPolicy }) {
  if (policy === 'open') return <SignUpForm {...draft} />
  const { title, text } = CLOSED[policy]
  return (
    <div className="grid gap-3">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-muted">{text}</p>
      <p className="text-muted">No account is needed to watch.</p>
    </div>
  )
}

const CLOSED = {
  invitation: {
    title: 'Accounts are by invitation',
    text: 'Open the link in your invitation email. If it has expired, ask the station for a new one.',
  },
  closed: { title: 'Sign-up is closed', text: 'This station accepts no new accounts at the moment.' },
} as const

/** Creates an account. It is signed in at once, or after confirming the email, depending on MAIL_CONFIRMATION. */
function SignUpForm({ email, onEmail }: EmailDraft) {
  const [fullName, setFullName] = useState('')
  const newPassword = useNewPassword()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const nextPage = useNextPage()
  const form = useAccountForm({
    failureTitle: 'Sign Up Failed',
    check: () => signUpProblem({ fullName, email, ...newPassword.values }),
    send: async () => {
      const address = email.trim()
      const { needsConfirmation } = await authClient.signUp(
        fullName.trim(),
        address,
        newPassword.values.password,
        nextPage,
      )
      newPassword.clear()
      if (needsConfirmation) setSentTo(address)
      const isSignedIn = authClient.state().status === 'signed-in'
      if (needsConfirmation) toast(CHECK_MAIL)
      else toast(isSignedIn ? SIGNED_IN : CREATED)
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
    <AccountForm form={form} button="Sign Up" busyButton="Creating your account...">
      <TextField
        label="Full name"
        autoComplete="name"
        maxLength={100}
        required
        {...form.field('fullName')}
        value={fullName}
        onChange={(event) => setFullName(event.target.value)}
      />
      <EmailField {...form.field('email')} value={email} onChange={(event) => onEmail(event.target.value)} />
      <NewPasswordFields form={form} newPassword={newPassword} />
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

const SIGNED_IN = { ...CREATED, description: 'You are signed in.' } as const
