import type { Me, OwnRestriction } from '@looptide/contracts/http/users'
import { Link, Navigate, useLocation } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { buttonClass } from '../../ui/button.tsx'
import { AvatarEditor } from './avatar-editor.tsx'
import { CreateAccountSection } from './create-account-section.tsx'
import { ProfileForm } from './profile-form.tsx'
import { MY_PROFILE, ProfilePage, useProfileUser } from './profile-frame.tsx'
import { RequestNameSection } from './request-name-section.tsx'

/** The profile's address of linked accounts before its pages had addresses of their own. */
const OLD_LINKED_ACCOUNTS = '#linked-accounts'

/** The first page of the profile: picture and names, or for anonymous users the way to an account. */
export function NamesPage() {
  const me = useProfileUser()
  const { hash } = useLocation()
  if (hash === OLD_LINKED_ACCOUNTS) return <Navigate to={paths.linkedAccounts()} replace />
  return me.email === null ? <CreateAccount me={me} /> : <Names me={me} />
}

function Names({ me }: { me: Me }) {
  const { handle } = me.profile
  const isRestricted = me.restrictions.includes('restricted')
  return (
    <ProfilePage
      title={MY_PROFILE}
      text="How others see you in the chat and on your page."
      action={
        handle && (
          <Link to={paths.member(handle)} className={buttonClass('quiet')}>
            View Public Page
          </Link>
        )
      }
    >
      <RestrictionNotice restrictions={me.activeRestrictions} />
      <AvatarEditor me={me} isLocked={isRestricted} />
      <ProfileForm me={me} isLocked={isRestricted} />
      <RequestNameSection />
    </ProfilePage>
  )
}

function CreateAccount({ me }: { me: Me }) {
  return (
    <ProfilePage
      title={MY_PROFILE}
      text="You are signed in without an account. Only you see your playlists, and only in this browser."
    >
      <CreateAccountSection me={me} />
    </ProfilePage>
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
