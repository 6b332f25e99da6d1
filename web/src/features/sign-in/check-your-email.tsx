import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import { codeOf } from './form-rules.ts'
import { useSubmit } from './use-submit.ts'

/** After a magic link was sent. The mail's six digits serve where its link cannot be opened, as on a television. */
export function CheckYourEmail(props: {
  email: string
  isSending: boolean
  onSendAgain: () => void
  onOtherAddress: () => void
}) {
  const [text, setText] = useState('')
  const code = codeOf(text)
  const { isBusy, submit } = useSubmit({
    failureTitle: 'Sign In Failed',
    check: () => (code ? undefined : { title: 'Code', description: 'The code in the mail has 6 digits' }),
    send: async () => {
      await authClient.verifyCode(props.email, code ?? '')
      toast({ title: 'Welcome back!', description: "You've successfully signed in.", tone: 'success' })
    },
  })

  return (
    <div className="grid gap-5">
      <div className="flex gap-4">
        <Icon name="mail" className="mt-1 size-7 shrink-0 text-accent" />
        <div className="min-w-0">
          <h2 className="text-xl font-semibold">Check Your Email</h2>
          <p className="mt-1 text-sm text-muted">
            We sent a sign-in link to <strong className="break-words text-text">{props.email}</strong>. The
            link expires in 1 hour.
          </p>
        </div>
      </div>
      <form onSubmit={submit} noValidate className="grid gap-3">
        <TextField
          label="Or enter the 6-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="tracking-[0.3em]"
        />
        <Button type="submit" tone="primary" disabled={isBusy || !code}>
          {isBusy ? 'Signing in...' : 'Sign In with Code'}
        </Button>
      </form>
      <div className="flex flex-wrap gap-2">
        <Button onClick={props.onSendAgain} disabled={props.isSending}>
          {props.isSending ? 'Sending...' : 'Send New Link'}
        </Button>
        <Button tone="plain" onClick={props.onOtherAddress}>
          Use another address
        </Button>
      </div>
    </div>
  )
}
