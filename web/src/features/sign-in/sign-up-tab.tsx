import type { SignUpPolicy } from '@looptide/contracts/sign-up-policy'
import type { EmailDraft } from './sign-in-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'

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
