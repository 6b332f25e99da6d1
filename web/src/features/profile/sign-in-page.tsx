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
      <SettingsSection title="Email address" text="Used for sign-in links and codes. Not visible to others.">
        <EmailSection me={me} />
      </SettingsSection>
      <SettingsSection
        title="Password"
        text={
          me.hasPassword
            ? 'Changing it signs out your other devices.'
            : 'You sign in by email. Set a password to sign in without it.'
        }
      >
        <PasswordSection hasPassword={me.hasPassword} form={props.passwordForm} />
      </SettingsSection>
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
