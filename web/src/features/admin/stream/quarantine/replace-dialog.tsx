import type { ProgrammeVideo } from '@looptide/contracts/http/channels'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { showFailure } from '../../shared/show-failure.ts'
import { NotAVideoUrlError, replaceVideo } from './replace-video.ts'

/** Asks for the URL of a video that replaces a quarantined one. */
export function ReplaceDialog(props: { video: ProgrammeVideo; onReplaced: () => void; onClose: () => void }) {
  const { video } = props
  const [url, setUrl] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    if (url.trim() === '') return setProblem('Please provide a YouTube URL')
    setBusy(true)
    try {
      const places = await replaceVideo(video, url.trim())
      toast({
        title: 'Video Replaced',
        description: `Replaced at ${places === 1 ? '1 position' : `${places} positions`} in channel playlists.`,
        tone: 'success',
      })
      props.onReplaced()
    } catch (failure) {
      setBusy(false)
      if (failure instanceof NotAVideoUrlError) setProblem('Please provide the URL of a different video')
      else {
        showFailure(failure, {
          title: 'Error replacing video',
          text: 'Failed to replace the video. Please try again.',
        })
      }
    }
  }

  return (
    <Dialog
      title={`Replace ${video.title}`}
      description="The new video replaces it in all channel playlists, and this one is deleted."
      width="narrow"
      isOpen
      onClose={props.onClose}
    >
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextField
          label="YouTube URL of the new video"
          type="url"
          autoComplete="off"
          value={url}
          error={problem}
          onChange={(event) => {
            setUrl(event.target.value)
            setProblem(undefined)
          }}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" tone="primary" aria-disabled={isBusy}>
            {isBusy ? 'Replacing...' : 'Replace'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
