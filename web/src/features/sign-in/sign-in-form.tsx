import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { authClient } from '../../lib/clients.ts'
import { paths } from '../../lib/paths.ts'
import { signInProblem } from '../../lib/session/form-rules.ts'
import { SignInError } from '../../lib/session/sign-in-error.ts'
import { useAccountForm } from '../../lib/session/use-account-form.ts'
import { EmailField } from '../../ui/email-field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { toast } from '../../ui/toast.ts'
import { AccountForm } from './account-form.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { usePasskeyAutofill } from './use-passkey-autofill.ts'
import { welcomeBack } from './welcome.ts'

const ProviderButtons = lazy(async () => ({
  default: (await import('./provider-buttons.tsx')).ProviderButtons,
}))

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
