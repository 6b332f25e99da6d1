import { PublicPlaylistList } from '../../features/playlists/playlist-list.tsx'
import { MemberPage } from '../../features/profile/member-page.tsx'

/** A user's public page, with their public playlists. */
export function PublicMemberPage() {
  return <MemberPage playlists={({ userId }) => <PublicPlaylistList userId={userId} />} />
}
