import type { Playlist, PlaylistItem } from '@looptide/contracts/http/playlists'
import { formatDuration } from '@looptide/playhead/duration'
import { playedMs } from '@looptide/playhead/trim'
import { Link, useParams } from 'react-router-dom'
import { ApiError } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/browser/use-page-title.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { toast } from '../../ui/toast.ts'
import { AddToListButton } from './add-to-list-button.tsx'
import { useOwner, usePlaylist, usePlaylistItems } from './api.ts'
import { PlaylistBadges, videoCount } from './playlist-badges.tsx'
import { VideoLine, VideoLinesSkeleton } from './video-line.tsx'

/** The page of a playlist: public ones for everyone, private ones for their owner. */
export function PlaylistPage() {
  const { id } = useParams()
  const { data: playlist, error, mutate } = usePlaylist(id)
  usePageTitle(playlist?.name ?? 'Playlist')
  return (
    <main id="main" className="mx-auto grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-8 px-4 py-8 sm:px-6">
      {playlist ? (
        <PlaylistView playlist={playlist} />
      ) : error ? (
        <NotShown error={error} onRetry={() => void mutate()} />
      ) : (
        <PageSkeleton />
      )}
    </main>
  )
}

function PlaylistView({ playlist }: { playlist: Playlist }) {
  const { data: items, error, mutate } = usePlaylistItems(playlist.id)
  return (
    <>
      <PlaylistHeader playlist={playlist} items={items} />
      {items ? (
        <Entries items={items} />
      ) : error ? (
        <ErrorNotice text="Failed to load playlist videos" onRetry={() => void mutate()} />
      ) : (
        <VideoLinesSkeleton count={Math.min(8, Math.max(1, playlist.itemCount))} />
      )}
    </>
  )
}

function PlaylistHeader({ playlist, items }: { playlist: Playlist; items: PlaylistItem[] | undefined }) {
  const { userId } = useSession()
  const isOwn = playlist.userId === userId
  const { data: owner } = useOwner(isOwn ? undefined : playlist.userId)
  const lengthMs = items?.reduce((sum, { video }) => sum + playedMs(video), 0) ?? 0
  const ownerName = owner?.artistName ?? owner?.handle
  return (
    <header className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-[14rem_minmax(0,1fr)] sm:items-end sm:gap-6">
      <Covers items={items ?? []} />
      <div className="relative grid min-w-0 gap-3">
        <p className="text-sm font-semibold tracking-wide text-muted">
          {isOwn && !playlist.isPublic ? 'Private playlist' : 'Playlist'}
        </p>
        <h1 className="text-3xl font-bold tracking-tight wrap-anywhere">{playlist.name}</h1>
        {playlist.description && (
          <p className="wrap-anywhere whitespace-pre-line text-muted">{playlist.description}</p>
        )}
        <p className="text-sm text-muted">
          {ownerName && owner?.handle && (
            <>
              by{' '}
              <Link to={paths.member(owner.handle)} className="font-medium text-link hover:underline">
                {ownerName}
              </Link>
              <span aria-hidden="true"> · </span>
            </>
          )}
          {videoCount(items?.length ?? playlist.itemCount)}
          {lengthMs > 0 && ` · ${formatDuration(lengthMs)}`}
        </p>
        <PlaylistBadges playlist={playlist} />
        <div className="flex flex-wrap gap-2">
          <Link to={paths.playlistPlayer({ play: playlist.id })} className={buttonClass('primary', 'px-6')}>
            <Icon name="play" />
            Play
          </Link>
          {isOwn && (
            <Link
              to={paths.playlistPlayer({ tab: 'playlists', playlist: playlist.id })}
              className={buttonClass('quiet')}
            >
              Edit
            </Link>
          )}
          {playlist.isPublic && <CopyLink />}
        </div>
      </div>
    </header>
  )
}

/** Up to four pictures of what is inside, as a cover. */
function Covers({ items }: { items: PlaylistItem[] }) {
  const urls = [...new Set(items.map(({ video }) => video.thumbnailUrl))].filter((url) => url !== null)
  const shown = urls.length >= 4 ? urls.slice(0, 4) : urls.slice(0, 1)
  return (
    <div
      aria-hidden="true"
      className="relative aspect-video overflow-hidden rounded-lg bg-raised shadow-lift sm:aspect-square"
    >
      <div className={classNames('absolute inset-0 grid', shown.length > 1 && 'grid-cols-2 grid-rows-2')}>
        {shown.map((url) => (
          <span key={url} className="relative overflow-hidden">
            <Thumbnail url={url} className="absolute! inset-0 aspect-auto! size-full" />
          </span>
        ))}
        {shown.length === 0 && <Icon name="list" className="m-auto size-14 text-muted" />}
      </div>
    </div>
  )
}

function CopyLink() {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href)
      toast({ title: 'Link copied', tone: 'success' })
    } catch {
      toast({ title: 'Could not copy the link', description: window.location.href, tone: 'error' })
    }
  }
  return <Button onClick={() => void copy()}>Copy link</Button>
}

function Entries({ items }: { items: PlaylistItem[] }) {
  if (items.length === 0) return <EmptyNotice title="No videos in this playlist yet." />
  return (
    <ol aria-label="Videos" className="grid grid-cols-[minmax(0,1fr)] gap-1">
      {items.map(({ id, video }, index) => (
        <li key={id} className="flex items-center gap-3 rounded-md p-2 hover:bg-panel">
          <span className="w-6 shrink-0 text-right text-sm text-muted tabular-nums">{index + 1}</span>
          <VideoLine video={video} className="flex-1">
            <AddToListButton video={video} isCompact tone="plain" className="shrink-0" />
          </VideoLine>
        </li>
      ))}
    </ol>
  )
}

/** The same page for private, deleted and unknown playlists, so that their existence is not disclosed. */
function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  if (!isMissing) {
    return (
      <>
        <h1 className="sr-only">Playlist</h1>
        <ErrorNotice text="Failed to load playlists" onRetry={onRetry} />
      </>
    )
  }
  return (
    <EmptyNotice heading="h1" title="Playlist not found">
      <p>It is private, or it has been deleted.</p>
      <Link to={paths.root()} className={buttonClass('primary')}>
        Return to Home
      </Link>
    </EmptyNotice>
  )
}

function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading playlist" className="grid gap-8">
      <h1 className="sr-only">Playlist</h1>
      <div className="grid gap-4 sm:grid-cols-[14rem_1fr] sm:items-end sm:gap-6">
        <Skeleton className="aspect-video sm:aspect-square" />
        <div className="grid gap-3">
          <Skeleton className="h-9 w-2/3" />
          <Skeleton className="h-5 w-1/3" />
          <Skeleton className="h-11 w-28" />
        </div>
      </div>
      <VideoLinesSkeleton />
    </div>
  )
}
