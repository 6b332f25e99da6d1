import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { showSignInFailure } from '../../lib/failures.ts'
import { useNextPage } from '../../lib/session/next-page.ts'
import { useOffersAnonymous, useProviders } from '../../lib/session/use-providers.ts'
import { Button } from '../../ui/button.tsx'

/** A button for each OpenID provider, which leaves for its sign-in page, and one to continue without an account. */
export function ProviderButtons() {
  const providers = useProviders()
  const offersAnonymous = useOffersAnonymous()
  const nextPage = useNextPage()
  const [isBusy, setBusy] = useState(false)

  const signIn = async (begin: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    try {
      await begin()
    } catch (failure) {
      showSignInFailure('Sign In Failed', failure)
      setBusy(false)
    }
  }

  const look = { className: 'min-h-12', 'aria-disabled': isBusy }
  return (
    <>
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          {...look}
          onClick={() => void signIn(() => authClient.signInWithProvider(id, nextPage))}
        >
          Continue with {name}
        </Button>
      ))}
      {offersAnonymous && (
        <Button {...look} tone="plain" onClick={() => void signIn(() => authClient.signInAnonymously())}>
          Continue without an account
        </Button>
      )}
    </>
  )
}
