import type { Playlist } from '@looptide/contracts/http/playlists'
import { useState } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { playlistActions } from './api.ts'

const CREATE = {
  button: 'Create',
  busy: 'Creating...',
  done: 'Playlist created successfully!',
  failed: 'Failed to create playlist',
}
const UPDATE = {
  button: 'Save',
  busy: 'Saving...',
  done: 'Playlist updated successfully!',
  failed: 'Failed to update playlist',
}

/** The form for name and description of a playlist, by default a new one (docs/product/admin.md §5 "Playlists"). */
export function PlaylistForm(props: {
  playlist?: Playlist
  onSaved: (playlist: Playlist) => void
  onCancel: () => void
}) {
  const { playlist } = props
  const texts = playlist ? UPDATE : CREATE
  const { status } = useSession()
  const [name, setName] = useState(playlist?.name ?? '')
  const [description, setDescription] = useState(playlist?.description ?? '')
  const form = useForm({
    send: async () => {
      if (name.trim() === '') return showError('Please enter a playlist name')
      if (status !== 'signed-in') return showError('You must be logged in to create playlists')
      const body = { name: name.trim(), description: description.trim() || null }
      const saved = playlist
        ? await playlistActions.update(playlist.id, body)
        : await playlistActions.create(body)
      toast({ title: texts.done, tone: 'success' })
      props.onSaved(saved)
    },
    onFailure: () => showError(texts.failed),
  })

  return (
    <Form form={form}>
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
        <SubmitButton form={form} busyLabel={texts.busy}>
          {texts.button}
        </SubmitButton>
        <Button tone="plain" onClick={props.onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

function showError(title: string): void {
  toast({ title, tone: 'error' })
}
