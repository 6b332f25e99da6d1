import type { ProgrammeVideo } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { api } from '../../../lib/clients.ts'
import { showFailure } from '../../../lib/failures.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { deleteVideo } from './api.ts'

/** Asks for the URL of a video that replaces a quarantined one. */
export function ReplaceDialog(props: { video: ProgrammeVideo; onReplaced: () => void; onClose: () => void }) {
  const { video } = props
  const [url, setUrl] = useState('')

  const form = useForm({
    check: () =>
      url.trim() === '' ? { field: 'url', description: 'Please provide a YouTube URL' } : undefined,
    send: async () => {
      const places = await replaceVideo(video, url.trim())
      toast({
        title: 'Video Replaced',
        description: `Replaced at ${places === 1 ? '1 position' : `${places} positions`} in channel playlists.`,
        tone: 'success',
      })
      props.onReplaced()
    },
    onFailure: (failure, point) => {
      if (failure instanceof NotAVideoUrlError) {
        point({ field: 'url', description: 'Please provide the URL of a different video' })
      } else {
        showFailure(failure, {
          title: 'Error replacing video',
          text: 'Failed to replace the video. Please try again.',
        })
      }
    },
  })

  return (
    <Dialog
      title={`Replace ${video.title}`}
      description="The new video replaces it in all channel playlists, and this one is deleted."
      width="narrow"
      isOpen
      onClose={props.onClose}
    >
      <Form form={form}>
        <TextField
          label="YouTube URL of the new video"
          type="url"
          autoComplete="off"
          {...form.field('url')}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <DialogActions onCancel={props.onClose}>
          <SubmitButton form={form} busyLabel="Replacing...">
            Replace
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Attempts and interval (ms): the scheduler knows a new video shortly after it was added to the library. */
const MAX_ATTEMPTS = 10
const RETRY_INTERVAL_MS = 500

/** The URL is not the URL of a different, single video. */
class NotAVideoUrlError extends Error {}

/**
 * Adds the video at `url` to the library (if it is not there yet), replaces the quarantined video with it in all
 * playlists and deletes the quarantined one. Returns the number of replaced playlist entries. Throws {@link
 * NotAVideoUrlError} or ApiError.
 */
async function replaceVideo(
  quarantined: { id: string; artistName: string; genre: string },
  url: string,
): Promise<number> {
  const { artistName, genre } = quarantined
  const added = await api.call('POST /api/videos', { body: { urls: [url], artistName, genre } })
  const video = added.lines[0]?.video
  if (!video || video.id === quarantined.id) throw new NotAVideoUrlError()
  const places = await replaceInPlaylists(quarantined.id, video.id)
  await deleteVideo(quarantined.id)
  return places
}

async function replaceInPlaylists(videoId: string, replacementId: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { count } = await api.call('POST /api/channels/quarantine/:videoId/replacement', {
        params: { videoId },
        body: { replacementId },
      })
      return count
    } catch (failure) {
      const isUnknown = failure instanceof ApiError && failure.code === 'not_found'
      if (!isUnknown || attempt === MAX_ATTEMPTS) throw failure
      await new Promise((resolve) => setTimeout(resolve, RETRY_INTERVAL_MS))
    }
  }
}
