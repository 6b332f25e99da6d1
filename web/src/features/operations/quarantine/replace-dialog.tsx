import type { ProgrammeVideo } from '@looptide/contracts/http/channels'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { showFailure } from '../../admin/show-failure.ts'
import { NotAVideoUrlError, replaceVideo } from './replace-video.ts'

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
