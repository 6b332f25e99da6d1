import type { Me, OwnRestriction } from '@looptide/contracts/http/users'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSignInPath } from '../../lib/session/next-page.ts'
import { useSession } from '../../lib/session/session.tsx'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AvatarEditor } from './avatar-editor.tsx'
import { CreateAccountSection } from './create-account-section.tsx'
import { DeleteSection } from './delete-section.tsx'
import { EmailSection } from './email-section.tsx'
import { ExportSection } from './export/export-section.tsx'
import { LinkedAccountsSection } from './linked-accounts/linked-accounts-section.tsx'
import { PasskeysSection } from './passkeys/passkeys-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SettingsSection } from './settings-section.tsx'
import { SignInHistory } from './sign-in-history.tsx'
import { SubmissionsSection } from './submissions-section.tsx'
import { TokensSection } from './tokens/tokens-section.tsx'
import { TwoStepSection } from './two-step/two-step-section.tsx'
import { hasStoredDraft } from './use-draft.ts'

/** What the page takes from other features. */
interface ProfileParts {
  playlists: ReactNode
  passwordForm: ReactNode
  onSignOut: () => void
}

/** My Profile: public profile, playlists, sign-in settings and account deletion. */
export function ProfilePage(props: ProfileParts) {
  usePageTitle('My Profile')
  const { status, me, isRoleLoading, retry } = useSession()
  return (
    <main
      id="main"
      className="mx-auto grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-8 px-4 py-8 sm:px-6 lg:py-12"
    >
      {status === 'signed-out' ? (
        <SignedOut />
      ) : me ? (
        <Account key={me.id} me={me} {...props} />
      ) : status === 'signed-in' && !isRoleLoading ? (
        <>
          <h1 className="text-2xl font-semibold">My Profile</h1>
          <ErrorNotice text="Your profile could not be loaded." onRetry={retry} />
        </>
      ) : (
        <Waiting />
      )}
    </main>
  )
}

function SignedOut() {
  const signInPath = useSignInPath()
  return (
    <>
      <h1 className="text-2xl font-semibold">My Profile</h1>
      <EmptyNotice title="Sign in to see your profile">
        {hasStoredDraft() && <p>Your changes are saved until then.</p>}
        <Link to={signInPath} className={buttonClass('primary')}>
          Sign In
        </Link>
      </EmptyNotice>
    </>
  )
}

function Waiting() {
  return (
    <>
      <h1 className="sr-only">My Profile</h1>
      <div className="grid gap-2">
        <Skeleton className="h-8 w-56" />
        <Skeleton className="h-5 w-40" />
      </div>
      <Skeleton className="h-96" />
      <Skeleton className="h-48" />
      <Skeleton className="h-48" />
    </>
  )
}

function Account({ me, playlists, passwordForm, onSignOut }: ProfileParts & { me: Me }) {
  const { profile } = me
  const handle = profile.handle ?? me.email ?? ''
  const isRestricted = me.restrictions.includes('restricted')
  const hasAccount = me.email !== null
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1">
          <h1 className="text-2xl font-semibold">My Profile</h1>
          <p className="truncate text-muted">
            @{handle}
            {profile.artistName && (
              <>
                {' · '}
                <bdi>{profile.artistName}</bdi>
              </>
            )}
          </p>
        </div>
        {profile.handle && hasAccount && (
          <Link to={paths.member(profile.handle)} className={buttonClass('quiet')}>
            View Public Page
          </Link>
        )}
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)]">
        {hasAccount && (
          <SettingsSection title="Public profile" text="How others see you in the chat and on your page.">
            <RestrictionNotice restrictions={me.activeRestrictions} />
            <AvatarEditor me={me} isLocked={isRestricted} />
            <ProfileForm me={me} isLocked={isRestricted} />
          </SettingsSection>
        )}
        {!hasAccount && <CreateAccountSection me={me} />}
        <SettingsSection
          title="Playlists"
          text={hasAccount ? 'Private unless you make them public.' : 'Only you see them.'}
        >
          {playlists}
        </SettingsSection>
        {hasAccount && (
          <SettingsSection
            title="Submissions"
            text="Videos that you added. Others see them once a moderator accepts them."
          >
            <SubmissionsSection />
          </SettingsSection>
        )}
        {hasAccount && (
          <SettingsSection
            title="Email address"
            text="Used for sign-in links and codes. Not visible to others."
          >
            <EmailSection me={me} />
          </SettingsSection>
        )}
        {hasAccount && <CredentialSections me={me} passwordForm={passwordForm} />}
        <SettingsSection title="Your devices" text={devicesText(me)}>
          <SessionsSection onSignOut={onSignOut} />
        </SettingsSection>
        <SettingsSection
          title="Recent sign-ins"
          text="Of the last 90 days. A failed sign-in by someone else is harmless by itself."
        >
          <SignInHistory />
        </SettingsSection>
        {hasAccount && (
          <SettingsSection title="Access tokens" text="For programs that use the station in your name.">
            <TokensSection role={me.role} />
          </SettingsSection>
        )}
        <SettingsSection title="Your data" text="A copy of what the station stores about you.">
          <ExportSection />
        </SettingsSection>
        <SettingsSection title="Delete account" text="Permanently, on all devices.">
          <DeleteSection me={me} />
        </SettingsSection>
      </div>
    </>
  )
}

function devicesText({ email, hasPassword }: Me): string {
  if (email === null) return 'Without an account you cannot sign in again after signing out.'
  return hasPassword
    ? 'Don’t recognise a device? Sign it out and change your password.'
    : 'Don’t recognise a device? Sign it out.'
}

/** What signs in to the account. Anonymous users have none of it. */
function CredentialSections({ me, passwordForm }: { me: Me; passwordForm: ReactNode }) {
  return (
    <>
      <SettingsSection
        title="Password"
        text={
          me.hasPassword
            ? 'Changing it signs out your other devices.'
            : 'You sign in by email. Set a password to sign in without it.'
        }
      >
        {passwordForm}
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
    </>
  )
}

const WORDS: Record<OwnRestriction['restrictionType'], string> = {
  restricted: 'Your account is restricted: your public profile cannot be changed.',
  chat_banned: 'You cannot send chat messages.',
  site_banned: 'Your account is banned.',
}

const until = (instant: string): string =>
  new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))

/** The user's restrictions with reason and end. */
function RestrictionNotice({ restrictions }: { restrictions: OwnRestriction[] }) {
  if (restrictions.length === 0) return null
  return (
    <div role="note" className="grid gap-3 rounded-md border border-accent/60 bg-raised p-4 text-sm">
      {restrictions.map(({ restrictionType, reason, expiresAt }) => (
        <p key={restrictionType}>
          <strong className="block font-semibold">{WORDS[restrictionType]}</strong>
          <span className="wrap-anywhere text-muted">
            Reason: {reason}
            {expiresAt && `. Until ${until(expiresAt)}.`}
          </span>
        </p>
      ))}
    </div>
  )
}
