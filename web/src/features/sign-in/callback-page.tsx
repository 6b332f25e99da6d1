import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { authClient } from '../../lib/clients.ts'
import { showSignInFailure } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { nextPageOf } from '../../lib/session/next-page.ts'
import { SignInError } from '../../lib/session/sign-in-error.ts'
import { buttonClass } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { NarrowPage } from './narrow-page.tsx'
import { welcomeBack } from './welcome.ts'

const ELSEWHERE = 'This sign-in was started in another browser or tab. Please start again here.'

/** Where an OpenID provider sends the browser back: completes the sign-in, or the linking of an account. */
export function CallbackPage() {
  usePageTitle('Sign in')
  const problem = useFinish()
  if (problem === null) {
    return (
      <NarrowPage title="Signing in">
        <p role="status" className="text-muted">
          Signing in...
        </p>
      </NarrowPage>
    )
  }
  return (
    <NarrowPage title="You are not signed in">
      <p role="alert" className="text-muted">
        {problem}
      </p>
      <Link to={paths.signIn()} className={buttonClass('primary')}>
        Go to sign in
      </Link>
    </NarrowPage>
  )
}

/** Completes the sign-in or the linking of an account, and opens the next page. Returns the reason if that fails. */
function useFinish(): string | null {
  const [parameters] = useSearchParams()
  const isLink = parameters.has('linked')
  const next = nextPageOf(parameters, window.location.origin) ?? paths.root()
  const navigate = useNavigate()
  const [problem, setProblem] = useState<string | null>(null)

  useEffect(() => {
    let isShown = true
    const open = (page: string) => void navigate(page, { replace: true })
    const onFinished = (isSignedIn: boolean) => {
      if (!isShown) return
      if (!isSignedIn) return setProblem(ELSEWHERE)
      if (isLink) {
        toast({ title: 'Account Linked', tone: 'success' })
        return open(paths.linkedAccounts())
      }
      welcomeBack()
      open(authClient.state().status === 'second-factor' ? paths.signIn(next) : next)
    }
    const onFailure = (failure: unknown) => {
      if (!isShown) return
      if (isLink) {
        showSignInFailure('Account Not Linked', failure)
        return open(paths.linkedAccounts())
      }
      const isRefusal = failure instanceof SignInError
      setProblem(isRefusal ? failure.message : 'An unexpected error occurred. Please try again.')
    }
    authClient.finishProvider().then(onFinished, onFailure)
    return () => {
      isShown = false
    }
  }, [isLink, next, navigate])
  return problem
}
