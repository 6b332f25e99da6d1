import { Suspense, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { part } from '../../lib/browser/part.tsx'
import { authClient } from '../../lib/clients.ts'
import { showSignInFailure } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { signInProblem } from '../../lib/session/form-rules.ts'
import { hasKnownPasskey, isPasskeySupported } from '../../lib/session/passkey-support.ts'
import { SignInError } from '../../lib/session/sign-in-error.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { AccountForm } from './account-form.tsx'
import { welcomeBack } from './welcome.ts'

const ProviderButtons = part(async () => (await import('./provider-buttons.tsx')).ProviderButtons)

export interface EmailDraft {
  email: string
  onEmail: (email: string) => void
}

/** Email and password. `onUnconfirmed` is called if both are correct but the address is not confirmed yet. */
export function SignInForm({ email, onEmail, onUnconfirmed }: EmailDraft & { onUnconfirmed: () => void }) {
  const [password, setPassword] = useState('')
  const autoComplete = usePasskeyAutofill()
  const form = useAccountForm({
    failureTitle: 'Sign In Failed',
    check: () => signInProblem({ email, password }),
    send: async () => {
      await authClient.signIn(email.trim(), password)
      welcomeBack()
    },
    onFailure: (failure) => {
      const isUnconfirmed = failure instanceof SignInError && failure.code === 'email_not_confirmed'
      if (!isUnconfirmed) return false
      toast({ title: 'Sign In Failed', description: failure.message, tone: 'error' })
      onUnconfirmed()
      return true
    },
  })

  return (
    <AccountForm
      form={form}
      button="Sign In"
      busyButton="Signing in..."
      footer={
        <>
          <PasskeyButton />
          <Suspense>
            <ProviderButtons />
          </Suspense>
          <Link
            to={paths.reset()}
            className="justify-self-center rounded-sm px-2 py-1 text-sm text-muted underline-offset-4 hover:text-text hover:underline"
          >
            Forgot your password?
          </Link>
        </>
      }
    >
      <EmailField
        autoComplete={autoComplete}
        {...form.field('email')}
        value={email}
        onChange={(event) => onEmail(event.target.value)}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        {...form.field('password')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </AccountForm>
  )
}

/** Signs in without email and password. Renders nothing in browsers without passkeys. */
function PasskeyButton() {
  const [isBusy, setBusy] = useState(false)
  if (!isPasskeySupported()) return null

  const signIn = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      await authClient.signInWithPasskey()
      welcomeBack()
    } catch (failure) {
      showSignInFailure('Sign In Failed', failure)
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

/** Refusals of a passkey that the user has chosen. Others come before a choice and are not shown. */
const SHOWN = new Set(['webauthn_verification_failed', 'webauthn_challenge_expired', 'user_banned'])

/**
 * Offers passkeys among the browser's suggestions for the email field (WebAuthn's conditional mediation), in browsers
 * that used one here before: the sign-in page is the first page of all visitors, and each offer is a request. Returns
 * the `autocomplete` of the email field.
 */
function usePasskeyAutofill(): string {
  const [isOffered] = useState(() => isPasskeySupported() && hasKnownPasskey())
  useEffect(() => {
    if (isOffered) void offerPasskeys()
  }, [isOffered])
  return isOffered ? 'username webauthn' : 'username'
}

/** Waits for a choice. It ends when the user presses the button for passkeys instead. */
async function offerPasskeys(): Promise<void> {
  try {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return
    await authClient.signInWithPasskey('conditional')
    welcomeBack()
  } catch (failure) {
    if (!(failure instanceof SignInError) || !SHOWN.has(failure.code)) return
    showSignInFailure('Sign In Failed', failure)
    // A challenge is older than its five minutes when the page was open for long.
    if (failure.code === 'webauthn_challenge_expired') await offerPasskeys()
  }
}
