import type { Video } from '@looptide/contracts/http/videos'
import type { Exclusion } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { VideoPicker } from '../../admin/video-picker.tsx'
import { nextMonday } from '../model/exclusions.ts'

/** Asks for a song and the date on which it may air again; next Monday is suggested. */
export function ExcludeSongDialog(props: {
  today: string
  onSave: (exclusion: Exclusion) => void
  onClose: () => void
}) {
  const { today, onSave, onClose } = props
  const [video, setVideo] = useState<Video | null>(null)
  const [date, setDate] = useState(nextMonday(today))
  const form = useForm({
    check: () => (date > today ? undefined : { field: 'until', description: 'Choose a date in the future' }),
    send: async () => {
      if (video) onSave({ videoId: video.id, untilDate: date })
      onClose()
    },
  })
  return (
    <Dialog title="Exclude a song" isOpen onClose={onClose}>
      <Form form={form}>
        <VideoPicker chosen={video} onChoose={setVideo} />
        <TextField
          label="Airs again from"
          type="date"
          {...form.field('until')}
          value={date}
          onChange={(event) => setDate(event.target.value)}
        />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} disabled={video === null}>
            Exclude song
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
