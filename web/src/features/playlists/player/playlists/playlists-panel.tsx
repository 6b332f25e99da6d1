import type { Playlist } from '@looptide/contracts/http/playlists'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useFailureToast } from '../../../../lib/failures.ts'
import { useSignInPath } from '../../../../lib/session/next-page.ts'
import { useSession } from '../../../../lib/session/session.tsx'
import { Button, buttonClass, IconButton } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { EmptyNotice, ErrorNotice } from '../../../../ui/notice.tsx'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { playlistActions, useOwnPlaylists } from '../../api.ts'
import { LIKED_ID, useLikedPlaylist, withLiked } from '../../liked.ts'
import { PlaylistBadges, videoCount } from '../../playlist-badges.tsx'
import { PlaylistForm } from '../../playlist-form.tsx'
import type { PlayerState } from '../use-player.ts'
import { PlaylistDetail } from './playlist-detail.tsx'

/** The user's playlists and the details of the selected one. */
export function PlaylistsPanel(props: {
  player: PlayerState
  selectedId: string | undefined
  onSelect: (id: string | undefined) => void
  onPlaying: (id: string) => void
}) {
  const { player, selectedId, onSelect } = props
  const own = useOwnPlaylists()
  const { data: liked } = useLikedPlaylist()
  const selected = selectedId === LIKED_ID ? liked : own.data?.find(({ id }) => id === selectedId)
  useFailureToast(own.error, { title: 'Failed to load playlists' })

  const remove = async (playlist: Playlist) => {
    if (!window.confirm('Are you sure you want to delete this playlist?')) return
    try {
      await playlistActions.remove(playlist.id)
      toast({ title: 'Playlist deleted successfully!', tone: 'success' })
      player.forgetPlaylist(playlist.id)
      if (playlist.id === selectedId) onSelect(undefined)
    } catch {
      toast({ title: 'Failed to delete playlist', tone: 'error' })
    }
  }

  return (
    <div className="grid items-start gap-6 xl:grid-cols-[22rem_minmax(0,1fr)]">
      <section
        aria-label="Your Playlists"
        className="grid gap-4 rounded-lg border border-line/60 bg-panel p-4"
      >
        <PanelHeader onCreated={(playlist) => onSelect(playlist.id)} />
        <OwnPlaylists
          own={own}
          liked={liked}
          selectedId={selectedId}
          onSelect={onSelect}
          onRemove={(playlist) => void remove(playlist)}
        />
      </section>
      <section aria-label="Playlist details" className="rounded-lg border border-line/60 bg-panel p-4 sm:p-6">
        {selected ? (
          <PlaylistDetail key={selected.id} playlist={selected} player={player} onPlaying={props.onPlaying} />
        ) : (
          <EmptyNotice title="Select a Playlist">
            <p>Select a playlist to view details and manage settings.</p>
          </EmptyNotice>
        )}
      </section>
    </div>
  )
}

function PanelHeader({ onCreated }: { onCreated: (playlist: Playlist) => void }) {
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <header className="flex items-center gap-3">
        <h2 className="flex-1 text-lg font-semibold">Your Playlists</h2>
        <Button icon="plus" aria-expanded={isNaming} onClick={() => setNaming(!isNaming)}>
          New Playlist
        </Button>
      </header>
      {isNaming && (
        <PlaylistForm
          onSaved={(playlist) => {
            setNaming(false)
            onCreated(playlist)
          }}
          onCancel={() => setNaming(false)}
        />
      )}
    </>
  )
}

function OwnPlaylists(props: {
  own: ReturnType<typeof useOwnPlaylists>
  liked: Playlist | undefined
  selectedId: string | undefined
  onSelect: (id: string) => void
  onRemove: (playlist: Playlist) => void
}) {
  const { status } = useSession()
  const signInPath = useSignInPath()
  const { data, error, mutate } = props.own
  if (status === 'signed-out') {
    return (
      <EmptyNotice title="Sign in to create playlists">
        <Link to={signInPath} className={buttonClass('primary')}>
          Sign In
        </Link>
      </EmptyNotice>
    )
  }
  if (!data) {
    if (error) return <ErrorNotice text="Failed to load playlists" onRetry={() => void mutate()} />
    return <ListSkeleton />
  }
  const shown = withLiked(data, props.liked)
  if (shown.length === 0) {
    return <p className="py-8 text-center text-muted">No playlists yet. Create your first playlist!</p>
  }
  return (
    <ul className="grid max-h-[36rem] gap-1 overflow-y-auto overscroll-contain">
      {shown.map((playlist) => (
        <PlaylistLine
          key={playlist.id}
          playlist={playlist}
          isSelected={playlist.id === props.selectedId}
          onSelect={() => props.onSelect(playlist.id)}
          onRemove={() => props.onRemove(playlist)}
        />
      ))}
    </ul>
  )
}

function PlaylistLine(props: {
  playlist: Playlist
  isSelected: boolean
  onSelect: () => void
  onRemove: () => void
}) {
  const { playlist, isSelected } = props
  return (
    <li className={classNames('flex items-center rounded-md hover:bg-raised', isSelected && 'bg-raised')}>
      <button
        type="button"
        aria-current={isSelected}
        onClick={props.onSelect}
        className="lift grid min-h-14 min-w-0 flex-1 gap-1 rounded-md px-3 py-2 text-left"
      >
        <span className="truncate font-medium">{playlist.name}</span>
        {playlist.description && <span className="truncate text-sm text-muted">{playlist.description}</span>}
        <span className="flex flex-wrap items-center gap-2 text-sm text-muted">
          {videoCount(playlist.itemCount)}
          <PlaylistBadges playlist={playlist} />
        </span>
      </button>
      {playlist.id !== LIKED_ID && (
        <IconButton
          icon="remove"
          label={`Delete ${playlist.name}`}
          className="mr-1"
          onClick={props.onRemove}
        />
      )}
    </li>
  )
}

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading playlists" className="grid gap-2">
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
    </div>
  )
}
