import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { authClient } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { emailProblem } from '../../lib/session/form-rules.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { EmailField } from '../../ui/email-field.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AccountForm } from './account-form.tsx'
import { CheckYourEmail } from './check-your-email.tsx'
import { NarrowPage } from './narrow-page.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { SecondStep } from './second-step.tsx'

/** Requests a reset email. A signed-in user (the email's link signs in) enters the new password. */
export function ResetPage() {
  usePageTitle('Reset your password')
  const { status, email, needsSecondFactor } = useSession()
  const navigate = useNavigate()
  if (needsSecondFactor) {
    return (
      <NarrowPage title="Reset your password">
        <SecondStep />
      </NarrowPage>
    )
  }
  if (status === 'signed-out') {
    return (
      <NarrowPage title="Reset your password">
        <AskForMail />
      </NarrowPage>
    )
  }
  return (
    <NarrowPage title="Choose a new password">
      {status === 'unknown' ? (
        <Skeleton className="h-56" />
      ) : (
        <>
          <p className="text-sm text-muted">
            For <strong className="wrap-anywhere text-text">{email}</strong>. Your other devices will be
            signed out.
          </p>
          <NewPasswordForm onDone={() => void navigate(paths.root(), { replace: true })} />
        </>
      )}
    </NarrowPage>
  )
}

function AskForMail() {
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const send = async () => {
    await authClient.requestPasswordReset(email.trim())
    setSentTo(email.trim())
  }
  const form = useAccountForm({
    failureTitle: 'Failed to Send Code',
    check: () => emailProblem({ email }),
    send,
  })

  if (sentTo) {
    return (
      <CheckYourEmail
        email={sentTo}
        purpose="reset"
        onSendAgain={send}
        onOtherAddress={() => setSentTo(null)}
      />
    )
  }
  return (
    <AccountForm form={form} button="Send Reset Link" busyButton="Sending...">
      <p className="text-sm text-muted">We will email you a link and a code.</p>
      <EmailField {...form.field('email')} value={email} onChange={(event) => setEmail(event.target.value)} />
    </AccountForm>
  )
}
