import type { Playlist } from '@looptide/contracts/http/playlists'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useOwnPlaylists, usePublicPlaylists } from './api.ts'
import { LIKED_ID, useLikedPlaylist, withLiked } from './liked.ts'
import { PlaylistBadges, videoCount } from './playlist-badges.tsx'

/** The user's playlists on the profile, with a link to manage them. */
export function OwnPlaylistList() {
  const { data, error, mutate } = useOwnPlaylists()
  const { data: liked } = useLikedPlaylist()
  if (!data) return error ? <Failed onRetry={() => void mutate()} /> : <ListSkeleton />
  const shown = withLiked(data, liked)
  if (shown.length === 0) {
    return (
      <EmptyNotice title="No playlists yet. Create your first playlist!">
        <Link to={paths.playlistPlayer({ tab: 'playlists' })} className={buttonClass('primary')}>
          New Playlist
        </Link>
      </EmptyNotice>
    )
  }
  return (
    <div className="grid gap-4">
      <Cards playlists={shown} />
      <Link
        to={paths.playlistPlayer({ tab: 'playlists' })}
        className={buttonClass('quiet', 'justify-self-start')}
      >
        Manage playlists
      </Link>
    </div>
  )
}

/** The public playlists on a user's public page. */
export function PublicPlaylistList({ userId }: { userId: string }) {
  const { data, error, mutate } = usePublicPlaylists(userId)
  if (!data) return error ? <Failed onRetry={() => void mutate()} /> : <ListSkeleton />
  // The owner's response contains private ones as well.
  const shown = data.filter(({ isPublic }) => isPublic)
  if (shown.length === 0) return <EmptyNotice title="No public playlists yet" />
  return <Cards playlists={shown} />
}

function Cards({ playlists }: { playlists: Playlist[] }) {
  return (
    <ul className="grid gap-3 sm:grid-cols-2">
      {playlists.map((playlist) => (
        <li key={playlist.id}>
          <Link
            to={paths.playlist(playlist.id)}
            className="lift flex h-full items-start gap-3 rounded-md border border-line/70 bg-panel p-4 hover:bg-raised"
          >
            <Icon
              name={playlist.id === LIKED_ID ? 'heart' : 'list'}
              className="mt-0.5 size-5 shrink-0 text-muted"
            />
            <span className="grid min-w-0 gap-1.5">
              <span className="truncate font-semibold">{playlist.name}</span>
              <span className="text-sm text-muted">{videoCount(playlist.itemCount)}</span>
              <PlaylistBadges playlist={playlist} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading playlists" className="grid gap-3 sm:grid-cols-2">
      <Skeleton className="h-24" />
      <Skeleton className="h-24" />
    </div>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return <ErrorNotice text="Failed to load playlists" onRetry={onRetry} />
}
