import type { Playlist } from '@looptide/contracts/http/playlists'
import { type SubmitEvent, useState } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { toast } from '../../ui/toast.ts'
import { playlistActions } from './api.ts'

/** The form for name and description of a playlist, by default a new one (docs/product/admin.md §5 "Playlists"). */
export function PlaylistForm(props: {
  playlist?: Playlist
  onSaved: (playlist: Playlist) => void
  onCancel: () => void
}) {
  const { status } = useSession()
  const [name, setName] = useState(props.playlist?.name ?? '')
  const [description, setDescription] = useState(props.playlist?.description ?? '')
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    // The form may be in a dialog that is inside another form in the component tree.
    event.stopPropagation()
    if (isBusy) return
    if (name.trim() === '') return toast({ title: 'Please enter a playlist name', tone: 'error' })
    if (status !== 'signed-in') {
      return toast({ title: 'You must be logged in to create playlists', tone: 'error' })
    }
    setBusy(true)
    const body = { name: name.trim(), description: description.trim() || null }
    try {
      const saved = props.playlist
        ? await playlistActions.update(props.playlist.id, body)
        : await playlistActions.create(body)
      toast({
        title: props.playlist ? 'Playlist updated successfully!' : 'Playlist created successfully!',
        tone: 'success',
      })
      props.onSaved(saved)
    } catch {
      toast({
        title: props.playlist ? 'Failed to update playlist' : 'Failed to create playlist',
        tone: 'error',
      })
      setBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <TextField
        label="Playlist Name"
        required
        autoFocus
        autoComplete="off"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Description (optional)"
        rows={2}
        maxLength={2000}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <div className="flex gap-2">
        <Button type="submit" tone="primary" disabled={isBusy}>
          {props.playlist ? (isBusy ? 'Saving...' : 'Save') : isBusy ? 'Creating...' : 'Create'}
        </Button>
        <Button tone="plain" onClick={props.onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
