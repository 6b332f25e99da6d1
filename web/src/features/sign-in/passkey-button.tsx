import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { isPasskeySupported } from '../../lib/session/passkey-support.ts'
import { toastFailure } from '../../lib/session/use-account-form.ts'
import { Button } from '../../ui/button.tsx'
import { welcomeBack } from './welcome.ts'

/** Signs in without email and password. Renders nothing in browsers without passkeys. */
export function PasskeyButton() {
  const [isBusy, setBusy] = useState(false)
  if (!isPasskeySupported()) return null

  const signIn = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await authClient.signInWithPasskey()
      welcomeBack()
    } catch (failure) {
      toastFailure('Sign In Failed', failure)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button className="min-h-12" aria-disabled={isBusy} onClick={() => void signIn()}>
      {isBusy ? 'Waiting for your passkey...' : 'Sign in with a passkey'}
    </Button>
  )
}
