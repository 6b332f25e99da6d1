import type { ProgrammeVideo } from '@looptide/contracts/http/channels'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { toast } from '../../../../ui/toast.ts'
import { tellFailure } from '../../desk/tell-failure.ts'
import { NoVideoAddressError, replaceVideo } from './replace-video.ts'

/** Asks for the address of the video that takes a dead one's places. */
export function ReplaceDialog(props: { video: ProgrammeVideo; onReplaced: () => void; onClose: () => void }) {
  const { video } = props
  const [url, setUrl] = useState('')
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    if (url.trim() === '') return setFault('Please provide a YouTube URL')
    setBusy(true)
    try {
      const places = await replaceVideo(video, url.trim())
      toast({
        title: 'Video Replaced',
        description: `The new video stands in ${places === 1 ? '1 place' : `${places} places`} of the channels’ playlists.`,
        tone: 'success',
      })
      props.onReplaced()
    } catch (failure) {
      setBusy(false)
      if (failure instanceof NoVideoAddressError) setFault('Please provide the URL of another single video')
      else {
        tellFailure(failure, {
          title: 'Error replacing video',
          text: 'Failed to replace the video. Please try again.',
        })
      }
    }
  }

  return (
    <Dialog
      title={`Replace ${video.title}`}
      description="The new video takes its place in every channel’s playlist; this one leaves the library."
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
          error={fault}
          onChange={(event) => {
            setUrl(event.target.value)
            setFault(undefined)
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
