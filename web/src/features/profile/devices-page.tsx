import type { Me } from '@looptide/contracts/http/users'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { ProfilePage, useProfileUser } from './profile-frame.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { SignInHistory } from './sign-in-history.tsx'
import { TokensSection } from './tokens/tokens-section.tsx'

/** Where the account is in use: devices, sign-ins and programs. `onSignOut` ends the session of this browser. */
export function DevicesPage({ onSignOut }: { onSignOut: () => void }) {
  const me = useProfileUser()
  return (
    <ProfilePage title="Devices" text="Where you are signed in.">
      <SettingsSection title="Your devices" text={devicesText(me)}>
        <SessionsSection onSignOut={onSignOut} />
        {me.email !== null && (
          <Link to={paths.pair()} className={buttonClass('quiet', 'justify-self-start')}>
            <Icon name="tv" />
            Pair a TV
          </Link>
        )}
      </SettingsSection>
      <SettingsSection
        title="Recent sign-ins"
        text="Of the last 90 days. A failed sign-in by someone else is harmless by itself."
      >
        <SignInHistory />
      </SettingsSection>
      {me.email !== null && (
        <SettingsSection title="Access tokens" text="For programs that use the station in your name.">
          <TokensSection role={me.role} />
        </SettingsSection>
      )}
    </ProfilePage>
  )
}

function devicesText({ email, hasPassword }: Me): string {
  if (email === null) return 'Without an account you cannot sign in again after signing out.'
  return hasPassword
    ? 'Don’t recognise a device? Sign it out and change your password.'
    : 'Don’t recognise a device? Sign it out.'
}
