import { useState } from 'react'
import { authClient } from '../../lib/clients.ts'
import { showSignInFailure } from '../../lib/failures.ts'
import type { FactorDevice } from '../../lib/session/factor-devices.ts'
import { isPasskeySupported } from '../../lib/session/passkey-support.ts'
import { Button } from '../../ui/button.tsx'

/** A button for each security key of the user, which verifies the session with it. */
export function SecurityKeyButtons(props: {
  keys: readonly FactorDevice[]
  failureTitle: string
  onVerified: () => void
}) {
  const [busyWith, setBusyWith] = useState<string>()
  if (!isPasskeySupported()) {
    return <p className="text-sm text-muted">Security keys do not work in this browser or at this address.</p>
  }

  const verify = async (id: string) => {
    if (busyWith !== undefined) return
    setBusyWith(id)
    try {
      await authClient.verifyWithKey(id)
      props.onVerified()
    } catch (failure) {
      showSignInFailure(props.failureTitle, failure)
    } finally {
      setBusyWith(undefined)
    }
  }

  return (
    <div className="grid gap-2">
      {props.keys.map(({ id, name }) => (
        <Button
          key={id}
          tone="primary"
          className="min-h-12 wrap-anywhere"
          aria-disabled={busyWith !== undefined}
          onClick={() => void verify(id)}
        >
          {busyWith === id ? 'Waiting for your key...' : `Use ${name}`}
        </Button>
      ))}
    </div>
  )
}
