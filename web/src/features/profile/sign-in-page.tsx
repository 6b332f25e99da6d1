import type { ReactNode } from 'react'
import { Navigate } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { EmailSection } from './email-section.tsx'
import { LinkedAccountsSection } from './linked-accounts/linked-accounts-section.tsx'
import { PasskeysSection } from './passkeys/passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfilePage, useProfileUser } from './profile-frame.tsx'
import { SettingsSection } from './settings-section.tsx'
import { TwoStepSection } from './two-step/two-step-section.tsx'

/** How the user signs in to the account. Anonymous users have none of it. */
export function SignInSettingsPage(props: {
  /** Calls `onDone` when the password is changed. */
  passwordForm: (onDone: () => void) => ReactNode
}) {
  const me = useProfileUser()
  if (me.email === null) return <Navigate to={paths.createAccount()} replace />
  return (
    <ProfilePage title="Sign-in" text="What signs you in to your account.">
      <EmailSection me={me} />
      <PasswordSection hasPassword={me.hasPassword} form={props.passwordForm} />
      <SettingsSection
        title="Two-step verification"
        text="Requires a code or security key in addition to your password or email link."
      >
        <TwoStepSection />
      </SettingsSection>
      <SettingsSection
        title="Passkeys"
        text="Sign in with your fingerprint, face, PIN or security key instead of a password."
      >
        <PasskeysSection />
      </SettingsSection>
      <LinkedAccountsSection />
    </ProfilePage>
  )
}
