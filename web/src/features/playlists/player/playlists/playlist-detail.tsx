import type { LoopMode, Playlist, UpdatePlaylistBody } from '@looptide/contracts/http/playlists'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { ApiError } from '../../../../lib/api/api-error.ts'
import { paths } from '../../../../lib/paths.ts'
import { CreateAccountTo } from '../../../../lib/session/create-account-to.tsx'
import { useSession } from '../../../../lib/session/session.tsx'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { Choice } from '../../../../ui/choice.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Switch } from '../../../../ui/switch.tsx'
import { toast } from '../../../../ui/toast.ts'
import { playlistActions } from '../../api.ts'
import { PlaylistForm } from '../../playlist-form.tsx'
import type { PlayerState } from '../use-player.ts'
import { PlaylistEntries } from './playlist-entries.tsx'

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
        <Button tone="plain" onClick={() => setEditing(true)}>
          Rename
        </Button>
        <Link to={paths.playlist(playlist.id)} className={buttonClass('plain')}>
          View page
        </Link>
        <Button tone="primary" icon="play" disabled={isLoading} className="px-6" onClick={() => void play()}>
          Play
        </Button>
      </header>
      <div className="flex flex-wrap items-start gap-x-12 gap-y-4">
        <div className="grid gap-1">
          <Switch
            label="Shuffle Mode"
            isOn={shown.shuffleMode}
            onChange={(shuffleMode) => void update({ shuffleMode })}
          />
          <Switch
            label="Auto Advance"
            isOn={shown.autoAdvance}
            onChange={(autoAdvance) => void update({ autoAdvance })}
          />
          <PublicSwitch isOn={shown.isPublic} onChange={(isPublic) => void update({ isPublic })} />
        </div>
        <Choice
          label="Loop Mode"
          options={LOOP_MODES}
          value={shown.loopMode}
          onChange={(loopMode) => void update({ loopMode })}
        />
      </div>
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

/** Anonymous users cannot share playlists. */
function PublicSwitch(props: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { isAnonymous } = useSession()
  if (isAnonymous) return <CreateAccountTo purpose="share playlists" className="py-2" />
  return <Switch label="Public Playlist" {...props} />
}
