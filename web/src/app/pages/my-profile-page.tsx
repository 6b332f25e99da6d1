import { OwnPlaylistList } from '../../features/playlists/playlist-list.tsx'
import { ProfilePage } from '../../features/profile/profile-page.tsx'

/** My Profile, with the user's playlists. */
export function MyProfilePage() {
  return <ProfilePage playlists={<OwnPlaylistList />} />
}
