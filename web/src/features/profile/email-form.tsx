import type { Me } from '@looptide/contracts/http/users'
import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { emailProblem } from '../../lib/session/form-rules.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { EmailField } from '../../ui/email-field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { useProfileChanges } from './api.ts'

/** Asks for a new email address, which both addresses must confirm. Anonymous users add their first one. */
export function EmailForm({ me, onSent }: { me: Me; onSent?: () => void }) {
  const [email, setEmail] = useState('')
  const { changed } = useProfileChanges(me.id)
  const form = useAccountForm({
    failureTitle: 'Email Not Changed',
    check: () => {
      const isSame = email.trim().toLowerCase() === me.email
      return isSame
        ? { field: 'email', description: 'This is already your email address' }
        : emailProblem({ email })
    },
    send: async () => {
      await authClient.changeEmail(email.trim())
      await changed()
      onSent?.()
    },
  })
  return (
    <Form form={form}>
      <EmailField
        label={me.email === null ? 'Email' : 'New email'}
        autoComplete="email"
        hint={
          me.email === null
            ? 'We email a link to this address. Open it to get an account.'
            : 'We email a link to both addresses. Both must confirm.'
        }
        {...form.field('email')}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SubmitButton form={form} busyLabel="Sending..." className="justify-self-start">
        {me.email === null ? 'Add Email' : 'Change Email'}
      </SubmitButton>
    </Form>
  )
}
