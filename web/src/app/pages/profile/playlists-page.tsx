import { OwnPlaylistList } from '../../../features/playlists/playlist-list.tsx'
import { ProfilePage, useProfileUser } from '../../../features/profile/profile-frame.tsx'

/** The user's playlists, as a page of the profile. */
export function OwnPlaylistsPage() {
  const { email } = useProfileUser()
  return (
    <ProfilePage
      title="Playlists"
      text={email === null ? 'Only you see them.' : 'Private unless you make them public.'}
    >
      <OwnPlaylistList />
    </ProfilePage>
  )
}
