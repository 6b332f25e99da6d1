import type { LoopMode, Playlist, PlaylistItem, UpdatePlaylistBody } from '@looptide/contracts/http/playlists'
import { useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { ApiError } from '../../../../lib/api/api-error.ts'
import { useFailureToast } from '../../../../lib/failures.ts'
import { paths } from '../../../../lib/paths.ts'
import { CreateAccountTo } from '../../../../lib/session/create-account-to.tsx'
import { useSession } from '../../../../lib/session/session.tsx'
import { Button, buttonClass, IconButton } from '../../../../ui/button.tsx'
import { Choice } from '../../../../ui/choice.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { ErrorNotice } from '../../../../ui/notice.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import { toast } from '../../../../ui/toast.ts'
import { playlistActions, usePlaylistItems } from '../../api.ts'
import { LIKED_ID } from '../../liked.ts'
import { PlaylistForm } from '../../playlist-form.tsx'
import { VideoLine, VideoLinesSkeleton } from '../../video-line.tsx'
import type { PlayerState } from '../use-player.ts'

const LOOP_MODES: { id: LoopMode; label: string }[] = [
  { id: 'off', label: 'Off' },
  { id: 'single', label: 'Single' },
  { id: 'playlist', label: 'Playlist' },
]

/** A playlist with Play, its settings and its videos. A setting changes at once, and reverts if the server refuses it. */
export function PlaylistDetail(props: {
  playlist: Playlist
  player: PlayerState
  onPlaying: (id: string) => void
}) {
  const { playlist, player, onPlaying } = props
  const [pendingChange, setPendingChange] = useState<UpdatePlaylistBody>({})
  const [isLoading, setLoading] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const shown = { ...playlist, ...pendingChange }
  const isLiked = playlist.id === LIKED_ID

  const update = async (change: UpdatePlaylistBody) => {
    setPendingChange(change)
    try {
      player.takeSettings(await playlistActions.update(playlist.id, change))
      toast({ title: 'Playlist updated successfully!', tone: 'success' })
    } catch (failure) {
      const isRefused = failure instanceof ApiError && failure.code === 'user_restricted'
      toast({
        title: 'Failed to update playlist',
        tone: 'error',
        ...(isRefused && { description: failure.message }),
      })
    } finally {
      setPendingChange({})
    }
  }
  const play = async () => {
    setLoading(true)
    if (await player.play(playlist)) onPlaying(playlist.id)
    setLoading(false)
  }

  return (
    <div className="grid gap-6">
      <header className="flex flex-wrap items-start gap-3">
        <div className="min-w-40 flex-1">
          <h2 className="text-xl font-semibold wrap-anywhere">{playlist.name}</h2>
          {playlist.description && (
            <p className="mt-1 wrap-anywhere whitespace-pre-line text-muted">{playlist.description}</p>
          )}
        </div>
        {!isLiked && (
          <Button tone="plain" onClick={() => setEditing(true)}>
            Rename
          </Button>
        )}
        <Link to={paths.playlist(playlist.id)} className={buttonClass('plain')}>
          View page
        </Link>
        <Button tone="primary" icon="play" disabled={isLoading} className="px-6" onClick={() => void play()}>
          Play
        </Button>
      </header>
      {isLiked ? (
        <p className="text-muted">What you like, the newest first. Only you see this list.</p>
      ) : (
        <Settings playlist={shown} onChange={(change) => void update(change)} />
      )}
      <PlaylistEntries playlist={playlist} />
      {isEditing && (
        <Dialog title="Rename Playlist" isOpen onClose={() => setEditing(false)} width="narrow">
          <PlaylistForm
            playlist={playlist}
            onSaved={() => setEditing(false)}
            onCancel={() => setEditing(false)}
          />
        </Dialog>
      )}
    </div>
  )
}

function Settings(props: { playlist: Playlist; onChange: (change: UpdatePlaylistBody) => void }) {
  const { playlist, onChange } = props
  return (
    <div className="flex flex-wrap items-start gap-x-12 gap-y-4">
      <div className="grid gap-1">
        <Switch
          label="Shuffle Mode"
          isOn={playlist.shuffleMode}
          onChange={(shuffleMode) => onChange({ shuffleMode })}
        />
        <Switch
          label="Auto Advance"
          isOn={playlist.autoAdvance}
          onChange={(autoAdvance) => onChange({ autoAdvance })}
        />
        <PublicSwitch isOn={playlist.isPublic} onChange={(isPublic) => onChange({ isPublic })} />
      </div>
      <Choice
        label="Loop Mode"
        options={LOOP_MODES}
        value={playlist.loopMode}
        onChange={(loopMode) => onChange({ loopMode })}
      />
    </div>
  )
}

/** Anonymous users cannot share playlists. */
function PublicSwitch(props: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { isAnonymous } = useSession()
  if (isAnonymous) return <CreateAccountTo purpose="share playlists" className="py-2" />
  return <Switch label="Public Playlist" {...props} />
}

/** The videos of a playlist, which can be moved and removed with undo. */
function PlaylistEntries({ playlist }: { playlist: Playlist }) {
  const { data: items, error, mutate } = usePlaylistItems(playlist.id)
  useFailureToast(error, { title: 'Failed to load playlist videos' })
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
              {playlist.id !== LIKED_ID && (
                <>
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
                </>
              )}
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
