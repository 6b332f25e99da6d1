import type { EmailChange, Me } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { failureText } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { toast } from '../../ui/toast.ts'
import { useProfileChanges } from './api.ts'

/** A change of the email address that is not confirmed yet. Anonymous users confirm their first one. */
export function PendingEmailChange({ me, change }: { me: Me; change: EmailChange }) {
  const { cancelEmailChange, changed } = useProfileChanges(me.id)
  const [isBusy, setBusy] = useState(false)
  const isOver = Date.parse(change.expiresAt) < Date.now()

  // The protocol sends a change again by the current address. Without one, the change is requested again.
  const resend = () =>
    me.email === null ? authClient.changeEmail(change.newEmail) : authClient.resendEmailChange(me.email)

  const act = async (work: () => Promise<void>, done: string) => {
    if (isBusy) return
    setBusy(true)
    try {
      await work()
      await changed()
      toast({ title: done, tone: 'success' })
    } catch (failure) {
      toast({
        title: 'Error',
        description: failureText(failure, 'Something went wrong. Please try again.'),
        tone: 'error',
      })
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="grid gap-4 rounded-md border border-line bg-panel p-5">
      <p role="status" className="text-sm">
        {isOver
          ? 'The confirmation links have expired. Send them again.'
          : me.email === null
            ? 'Waiting for this address to confirm.'
            : 'Waiting for both addresses to confirm.'}
      </p>
      <ul className="grid gap-2 text-sm">
        {me.email !== null && <Side email={me.email} hasAgreed={change.confirmedBy === 'current'} />}
        <Side email={change.newEmail} hasAgreed={change.confirmedBy === 'new'} />
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void act(resend, 'Emails Sent')}>Send Again</Button>
        <Button tone="plain" onClick={() => void act(cancelEmailChange, 'Change Cancelled')}>
          Cancel Change
        </Button>
      </div>
    </div>
  )
}

function Side({ email, hasAgreed }: { email: string; hasAgreed: boolean }) {
  return (
    <li className="flex items-center gap-3">
      <Icon
        name={hasAgreed ? 'check' : 'mail'}
        className={hasAgreed ? 'size-5 text-link' : 'size-5 text-muted'}
      />
      <span className="min-w-0 flex-1 truncate">{email}</span>
      <span className="text-muted">{hasAgreed ? 'Confirmed' : 'Email sent'}</span>
    </li>
  )
}
