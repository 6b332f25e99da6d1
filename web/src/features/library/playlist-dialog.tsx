import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { useForm } from '../../ui/use-form.ts'
import { PLAYLIST_CATEGORY } from '../admin/categories.ts'
import { showAddResult } from './add-result.ts'
import { addVideos } from './api.ts'
import { playlistIdOf } from './url-lines.ts'

/** Timeout for reading a playlist, which takes several requests to YouTube, in ms. */
const READ_TIMEOUT_MS = 60_000

/** Imports a YouTube playlist. This has its own dialog, because playlist URLs among video URLs are skipped. */
export function PlaylistDialog(props: { onClose: () => void; onAdded: (result: AddVideosResult) => void }) {
  const [text, setText] = useState('')

  const playlistId = playlistIdOf(text)
  const form = useForm({
    check: () =>
      playlistId === null
        ? { field: 'url', description: 'Please enter the URL of a YouTube playlist.' }
        : undefined,
    send: async (point) => {
      if (playlistId === null) return
      const { youtubeIds, isComplete } = await api.call(
        'GET /api/metadata/playlists/:playlistId',
        { params: { playlistId } },
        { timeoutMs: READ_TIMEOUT_MS },
      )
      if (youtubeIds.length === 0) {
        return point({ field: 'url', description: 'This playlist has no videos.' })
      }
      const urls = youtubeIds.map((id) => `https://youtu.be/${id}`)
      const result = await addVideos({ urls, category: PLAYLIST_CATEGORY })
      props.onAdded(result)
      showAddResult(result)
      if (isComplete) return props.onClose()
      const description = `Only the first ${youtubeIds.length} videos of the playlist were imported.`
      point({ field: 'url', description })
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Error processing videos', text: 'Please try again.' }),
  })

  return (
    <Dialog
      title="Import a YouTube playlist"
      description="Imports up to 500 videos. Requires a YouTube API key."
      isOpen
      onClose={props.onClose}
      width="narrow"
    >
      <Form form={form}>
        <TextField
          label="Playlist URL"
          {...form.field('url')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <SubmitButton form={form} busyLabel="Processing...">
          Import videos
        </SubmitButton>
      </Form>
    </Dialog>
  )
}
