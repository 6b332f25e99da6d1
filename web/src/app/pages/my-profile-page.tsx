import { OwnPlaylistList } from '../../features/playlists/playlist-list.tsx'
import { ProfilePage } from '../../features/profile/profile-page.tsx'

/** My Profile, with one's own playlists in their place. */
export function MyProfilePage() {
  return <ProfilePage playlists={<OwnPlaylistList />} />
}
