import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { CheckYourEmail } from './check-your-email.tsx'
import { quickSignInProblem } from './form-rules.ts'
import { useSubmit } from './use-submit.ts'

/** Sends a magic link, then says where to look for it. */
export function QuickSignInForm() {
  const [email, setEmail] = useState('')
  const [fullName, setFullName] = useState('')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { isBusy, submit } = useSubmit({
    failureTitle: 'Failed to Send Code',
    check: () => quickSignInProblem({ email }),
    send: async () => {
      await authClient.sendMagicLink(email.trim(), fullName.trim())
      setSentTo(email.trim())
      toast({
        title: 'Magic Link Sent!',
        description: 'Please check your email for the verification code.',
        tone: 'success',
      })
    },
  })

  if (sentTo) {
    return (
      <CheckYourEmail
        email={sentTo}
        isSending={isBusy}
        onSendAgain={() => submit()}
        onOtherAddress={() => setSentTo(null)}
      />
    )
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Full name (optional)"
        autoComplete="name"
        maxLength={100}
        value={fullName}
        onChange={(event) => setFullName(event.target.value)}
      />
      <Button type="submit" tone="primary" disabled={isBusy}>
        {isBusy ? 'Sending...' : 'Send Magic Link'}
      </Button>
    </form>
  )
}
