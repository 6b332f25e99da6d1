import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { authClient } from '../../lib/clients.ts'
import { showSignInFailure } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { ownPage } from '../../lib/session/next-page.ts'
import { useSession } from '../../lib/session/session.tsx'
import { SignInError } from '../../lib/session/sign-in-error.ts'
import { LINK_TYPES, type LinkType } from '../../lib/session/sign-in-methods.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { NarrowPage } from './narrow-page.tsx'
import { suggestPassword, welcomeBack } from './welcome.ts'

const QUESTIONS: Record<LinkType, { title: string; text: string; button: string }> = {
  magiclink: { title: 'Sign in', text: 'Press the button to sign in.', button: 'Sign In' },
  email: { title: 'Sign in', text: 'Press the button to sign in.', button: 'Sign In' },
  signup: { title: 'Confirm your email', text: 'This activates your account.', button: 'Confirm' },
  invite: { title: 'You have been invited', text: 'Accept the invitation to sign in.', button: 'Accept' },
  recovery: { title: 'Reset your password', text: 'Then choose a new one.', button: 'Continue' },
  email_change: {
    title: 'Confirm the new email',
    text: 'It becomes the email of your account. If it replaces another one, both must be confirmed.',
    button: 'Confirm',
  },
}

const isLinkType = (text: string | null): text is LinkType => LINK_TYPES.some((known) => known === text)

/** The target of emailed links. The one-time token is used by a button, not by the visit: mail scanners visit every link. */
export function ConfirmPage() {
  usePageTitle('Sign in')
  const [parameters] = useSearchParams()
  const tokenHash = parameters.get('token_hash')
  const type = parameters.get('type')
  if (!tokenHash || !isLinkType(type)) return <DeadLink />
  const page = ownPage(parameters.get('redirect_to') ?? paths.root(), window.location.origin)
  return <Question tokenHash={tokenHash} type={type} nextPage={page ?? paths.root()} />
}

type State = 'asking' | 'busy' | 'dead' | 'half-way'

function Question(props: { tokenHash: string; type: LinkType; nextPage: string }) {
  const { tokenHash, type, nextPage } = props
  const [state, setState] = useState<State>('asking')
  const navigate = useNavigate()
  const { retry } = useSession()
  const { title, text, button } = QUESTIONS[type]

  const confirm = async () => {
    if (state === 'busy') return
    setState('busy')
    try {
      const isComplete = await authClient.verifyLink(tokenHash, type)
      if (type === 'email_change') {
        if (isComplete) toast({ title: 'Email Confirmed', tone: 'success' })
        // The account shows how far the change is. Without an email address it has no such page: it must be known.
        await retry()
      }
      if (!isComplete) return setState('half-way')
      if (type === 'recovery') return navigate(paths.reset(), { replace: true })
      if (type !== 'email_change') welcomeBack()
      if (type === 'signup' || type === 'invite') void suggestPassword()
      const needsFactor = authClient.state().status === 'second-factor'
      void navigate(needsFactor ? paths.signIn(nextPage) : nextPage, { replace: true })
    } catch (failure) {
      showSignInFailure('Sign In Failed', failure)
      setState(failure instanceof SignInError && failure.code === 'otp_expired' ? 'dead' : 'asking')
    }
  }

  if (state === 'dead') return <DeadLink />
  if (state === 'half-way') return <HalfWay />
  return (
    <NarrowPage title={title}>
      <p className="text-muted">{text}</p>
      <Button
        tone="primary"
        aria-disabled={state === 'busy'}
        className="min-h-12 text-base"
        onClick={() => void confirm()}
      >
        {state === 'busy' ? 'Checking...' : button}
      </Button>
    </NarrowPage>
  )
}

function HalfWay() {
  return (
    <NarrowPage title="One more confirmation">
      <p role="status" className="text-muted">
        This address is confirmed. To finish the change, open the link that we sent to the other address.
      </p>
      <Link to={paths.signInSettings()} className={buttonClass('primary')}>
        Go to my profile
      </Link>
    </NarrowPage>
  )
}

function DeadLink() {
  return (
    <NarrowPage title="This link does not work">
      <p className="text-muted">It was already used or has expired. Request a new one.</p>
      <Link to={paths.signIn()} className={buttonClass('primary')}>
        Go to sign in
      </Link>
    </NarrowPage>
  )
}
