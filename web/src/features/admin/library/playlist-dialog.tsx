import type { YoutubePlaylist } from '@looptide/contracts/http/metadata'
import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { type SubmitEvent, useState } from 'react'
import { api } from '../../../lib/clients.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { showFailure } from '../shared/show-failure.ts'
import { addVideos } from './api.ts'
import { PLAYLIST_CATEGORY } from './categories.ts'
import { playlistIdOf } from './playlist-id.ts'
import { showAddResult } from './show-add-result.ts'

/** Timeout for reading a playlist, which takes several requests to YouTube, in ms. */
const READ_TIMEOUT_MS = 60_000

/** Imports a YouTube playlist. This has its own dialog, because playlist URLs among video URLs are skipped. */
export function PlaylistDialog(props: { onClose: () => void; onAdded: (result: AddVideosResult) => void }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const playlistId = playlistIdOf(text)
    if (playlistId === null) return setError('Please enter the URL of a YouTube playlist.')
    setError(undefined)
    setBusy(true)
    try {
      const { youtubeIds, isComplete } = await api.get<YoutubePlaylist>(
        `/api/metadata/playlists/${playlistId}`,
        { timeoutMs: READ_TIMEOUT_MS },
      )
      if (youtubeIds.length === 0) return setError('This playlist has no videos.')
      const urls = youtubeIds.map((id) => `https://youtu.be/${id}`)
      const result = await addVideos({ urls, category: PLAYLIST_CATEGORY })
      props.onAdded(result)
      showAddResult(result)
      if (isComplete) props.onClose()
      else setError(`Only the first ${youtubeIds.length} videos of the playlist were imported.`)
    } catch (failure) {
      showFailure(failure, { title: 'Error processing videos', text: 'Please try again.' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      title="Import a YouTube playlist"
      description="Imports up to 500 videos. Requires a YouTube API key."
      isOpen
      onClose={props.onClose}
      width="narrow"
    >
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextField
          label="Playlist URL"
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" tone="primary" disabled={isBusy}>
          {isBusy ? 'Processing...' : 'Import videos'}
        </Button>
      </form>
    </Dialog>
  )
}
