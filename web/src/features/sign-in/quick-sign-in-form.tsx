import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { emailProblem } from '../../lib/session/form-rules.ts'
import { useNextPage } from '../../lib/session/next-page.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { EmailField } from '../../ui/email-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { AccountForm } from './account-form.tsx'
import { CheckYourEmail } from './check-your-email.tsx'
import type { EmailDraft } from './sign-in-form.tsx'

/** Sends a magic link, then asks the user to check the email. */
export function QuickSignInForm({ email, onEmail }: EmailDraft) {
  const [fullName, setFullName] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const nextPage = useNextPage()
  const send = async () => {
    await authClient.sendMagicLink(email.trim(), fullName.trim(), nextPage)
    setSentTo(email.trim())
    toast({
      title: 'Magic Link Sent!',
      description: 'Please check your email for the verification code.',
      tone: 'success',
    })
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
        purpose="sign-in"
        onSendAgain={send}
        onOtherAddress={() => setSentTo(null)}
      />
    )
  }
  return (
    <AccountForm form={form} button="Send Magic Link" busyButton="Sending...">
      <EmailField {...form.field('email')} value={email} onChange={(event) => onEmail(event.target.value)} />
      <TextField
        label="Full name (optional)"
        autoComplete="name"
        maxLength={100}
        name="fullName"
        value={fullName}
        onChange={(event) => setFullName(event.target.value)}
      />
    </AccountForm>
  )
}
