import { OwnPlaylistList } from '../../features/playlists/playlist-list.tsx'
import { ProfilePage } from '../../features/profile/profile-page.tsx'
import { NewPasswordForm } from '../../features/sign-in/new-password-form.tsx'
import { useSession } from '../../lib/session/session.tsx'
import { useSignOut } from '../use-sign-out.tsx'

/** My Profile, with the user's playlists. */
export function MyProfilePage() {
  const { retry: reloadMe } = useSession()
  const { signOut, confirmation } = useSignOut()
  return (
    <>
      <ProfilePage
        playlists={<OwnPlaylistList />}
        passwordForm={<NewPasswordForm onDone={reloadMe} isCompact />}
        onSignOut={() => void signOut()}
      />
      {confirmation}
    </>
  )
}
