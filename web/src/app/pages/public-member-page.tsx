import { PublicPlaylistList } from '../../features/playlists/playlist-list.tsx'
import { MemberPage } from '../../features/profile/member-page.tsx'

/** Somebody's public page, with the playlists they show to everybody. */
export function PublicMemberPage() {
  return <MemberPage playlists={({ userId }) => <PublicPlaylistList userId={userId} />} />
}
