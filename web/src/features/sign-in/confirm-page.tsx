import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { paths } from '../../app/paths.ts'
import { LINK_TYPES, type LinkType } from '../../lib/auth-client.ts'
import { authClient } from '../../lib/clients.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { NarrowPage } from './narrow-page.tsx'
import { toastFailure } from './use-submit.ts'

const QUESTIONS: Record<LinkType, { title: string; text: string; button: string }> = {
  magiclink: { title: 'Sign in', text: 'One press and you are in.', button: 'Sign In' },
  email: { title: 'Sign in', text: 'One press and you are in.', button: 'Sign In' },
  signup: { title: 'Confirm your address', text: 'Then your account is ready.', button: 'Confirm' },
  invite: { title: 'You are invited', text: 'Take the invitation and come in.', button: 'Accept' },
  recovery: { title: 'Reset your password', text: 'Next you choose a new one.', button: 'Continue' },
  email_change: {
    title: 'Confirm your new address',
    text: 'It takes the place of the old one.',
    button: 'Confirm',
  },
}

const isLinkType = (text: string | null): text is LinkType => LINK_TYPES.some((known) => known === text)

/**
 * Where mailed links land. The one-time token is spent by a press, never by the mere visit: mail scanners visit
 * every link.
 */
export function ConfirmPage() {
  usePageTitle('Sign in')
  const [parameters] = useSearchParams()
  const tokenHash = parameters.get('token_hash')
  const type = parameters.get('type')
  if (!tokenHash || !isLinkType(type)) return <DeadLink />
  return <Question tokenHash={tokenHash} type={type} />
}

function Question({ tokenHash, type }: { tokenHash: string; type: LinkType }) {
  const [state, setState] = useState<'asking' | 'busy' | 'dead'>('asking')
  const navigate = useNavigate()
  const { title, text, button } = QUESTIONS[type]

  const confirm = async () => {
    setState('busy')
    try {
      await authClient.verifyLink(tokenHash, type)
      if (type === 'recovery') return navigate(paths.reset(), { replace: true })
      toast({ title: 'Welcome back!', description: "You've successfully signed in.", tone: 'success' })
      navigate(paths.root(), { replace: true })
    } catch (failure) {
      toastFailure('Sign In Failed', failure)
      setState(isSpent(failure) ? 'dead' : 'asking')
    }
  }

  if (state === 'dead') return <DeadLink />
  return (
    <NarrowPage title={title}>
      <p className="text-muted">{text}</p>
      <Button tone="primary" disabled={state === 'busy'} onClick={() => void confirm()}>
        {state === 'busy' ? 'One moment...' : button}
      </Button>
    </NarrowPage>
  )
}

const isSpent = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && failure.code === 'otp_expired'

function DeadLink() {
  return (
    <NarrowPage title="This link does not work">
      <p className="text-muted">It has been used before, or it is older than 1 hour. Ask for a new one.</p>
      <Link to={paths.root()} className={buttonClass('primary')}>
        Go to sign in
      </Link>
    </NarrowPage>
  )
}
