import type { Playlist, PlaylistItem } from '@looptide/contracts/http/playlists'
import { useRef } from 'react'
import { useFailureToast } from '../../../../lib/api/use-failure-toast.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { ErrorNotice } from '../../../../ui/notice.tsx'
import { toast } from '../../../../ui/toast.ts'
import { playlistActions, usePlaylistItems } from '../../api.ts'
import { VideoLine, VideoLinesSkeleton } from '../../video-line.tsx'

/** The videos of a playlist, which can be moved and removed with undo. */
export function PlaylistEntries({ playlist }: { playlist: Playlist }) {
  const { data: items, error, mutate } = usePlaylistItems(playlist.id)
  useFailureToast('Failed to load playlist videos', error)
  return (
    <section aria-label="Videos" className="grid gap-3">
      <h3 className="font-semibold">Videos ({items?.length ?? playlist.itemCount})</h3>
      {items ? (
        <Entries playlist={playlist} items={items} />
      ) : error ? (
        <ErrorNotice text="Failed to load playlist videos" onRetry={() => void mutate()} />
      ) : (
        <VideoLinesSkeleton count={3} />
      )}
    </section>
  )
}

function Entries({ playlist, items }: { playlist: Playlist; items: PlaylistItem[] }) {
  const list = useRef<HTMLOListElement>(null)
  if (items.length === 0) return <p className="py-4 text-muted">No videos in this playlist yet.</p>

  const move = async (from: number, to: number) => {
    const order = items.toSpliced(from, 1)
    const moved = items[from]
    if (!moved) return
    try {
      await playlistActions.reorder(playlist.id, order.toSpliced(to, 0, moved))
    } catch {
      toast({ title: 'Failed to update playlist', tone: 'error' })
    }
  }
  const takeOut = async (item: PlaylistItem, index: number) => {
    // The pressed button is removed with its line, so the focus moves within the list.
    list.current?.focus()
    try {
      await playlistActions.drop(playlist.id, item.id)
      toast({
        title: 'Video removed from playlist',
        description: item.video.title,
        action: { label: 'Undo', onPress: () => void putBack(playlist.id, item, index) },
      })
    } catch {
      toast({ title: 'Failed to remove video from playlist', tone: 'error' })
    }
  }

  return (
    <ol
      ref={list}
      tabIndex={-1}
      className="-mx-2 grid max-h-64 grid-cols-[minmax(0,1fr)] gap-0.5 overflow-y-auto overscroll-contain px-2"
    >
      {items.map((item, index) => (
        <li key={item.id} className="flex min-w-0 items-center rounded-md py-1 hover:bg-raised">
          <VideoLine video={item.video} className="flex-1 pl-1">
            <span className="flex shrink-0">
              <IconButton
                icon="up"
                label={`Move ${item.video.title} up`}
                disabled={index === 0}
                className="w-9"
                onClick={() => void move(index, index - 1)}
              />
              <IconButton
                icon="down"
                label={`Move ${item.video.title} down`}
                disabled={index === items.length - 1}
                className="w-9"
                onClick={() => void move(index, index + 1)}
              />
              <IconButton
                icon="close"
                label={`Remove ${item.video.title}`}
                className="w-9"
                onClick={() => void takeOut(item, index)}
              />
            </span>
          </VideoLine>
        </li>
      ))}
    </ol>
  )
}

async function putBack(playlistId: string, item: PlaylistItem, index: number): Promise<void> {
  try {
    await playlistActions.add(playlistId, item.video.id, index)
  } catch {
    toast({ title: 'Failed to add video to playlist', tone: 'error' })
  }
}
