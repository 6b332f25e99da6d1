import { SignInSettingsPage } from '../../../features/profile/sign-in-page.tsx'
import { NewPasswordForm } from '../../../features/sign-in/new-password-form.tsx'
import { useSession } from '../../../lib/session/session.tsx'

/** How the user signs in, with the form for a new password. */
export function OwnSignInPage() {
  const { retry: reloadMe } = useSession()
  return (
    <SignInSettingsPage
      passwordForm={(onDone) => (
        <NewPasswordForm
          onDone={() => {
            onDone()
            void reloadMe()
          }}
        />
      )}
    />
  )
}
