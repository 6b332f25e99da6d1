import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { useNextPage } from '../../lib/session/next-page.ts'
import { toastFailure } from '../../lib/session/use-account-form.ts'
import { useProviders } from '../../lib/session/use-providers.ts'
import { Button } from '../../ui/button.tsx'

/** A button for each OpenID provider, which leaves for its sign-in page. */
export function ProviderButtons() {
  const providers = useProviders()
  const nextPage = useNextPage()
  const [isBusy, setBusy] = useState(false)

  const signIn = async (id: string) => {
    if (isBusy) return
    setBusy(true)
    try {
      await authClient.signInWithProvider(id, nextPage)
    } catch (failure) {
      toastFailure('Sign In Failed', failure)
      setBusy(false)
    }
  }

  return providers.map(({ id, name }) => (
    <Button
      key={id}
      className="min-h-12 aria-disabled:opacity-55"
      aria-disabled={isBusy}
      onClick={() => void signIn(id)}
    >
      Continue with {name}
    </Button>
  ))
}
