import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { CATEGORIES } from '../admin/categories.ts'
import { lazyDialog } from '../admin/lazy-part.ts'
import { hintOf, type Line, REASON_LABELS, RESULT_LABELS } from './add-result.ts'
import type { AddVideos } from './use-add-videos.ts'

const CHOICES = CATEGORIES.map((value) => ({ value, label: value }))

const PlaylistDialog = lazyDialog(async () => (await import('./playlist-dialog.tsx')).PlaylistDialog)

/** Form to add videos by URL. */
export function AddVideosForm({ add }: { add: AddVideos }) {
  const [isPlaylistOpen, setPlaylistOpen] = useState(false)
  const { values, change, form } = add
  return (
    <>
      <Form form={form}>
        <TextArea
          label="Video URLs"
          hint="One per line: YouTube videos or https links to mp4, webm or m3u8 files"
          required
          rows={6}
          spellCheck={false}
          value={values.urls}
          onChange={(event) => change({ urls: event.target.value })}
          className="font-mono text-sm"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Artist Name (optional)"
            maxLength={200}
            value={values.artistName}
            onChange={(event) => change({ artistName: event.target.value })}
          />
          <TextField
            label="Genre (optional)"
            maxLength={100}
            value={values.genre}
            onChange={(event) => change({ genre: event.target.value })}
          />
        </div>
        <SelectField
          label="Category"
          choices={CHOICES}
          value={values.category}
          onChange={(category) => change({ category })}
        />
        <SubmitButton form={form} busyLabel="Adding...">
          Add Videos
        </SubmitButton>
        <Button onClick={() => setPlaylistOpen(true)}>Import a YouTube playlist...</Button>
        <LineResults lines={add.lines} />
      </Form>
      {isPlaylistOpen && <PlaylistDialog onClose={() => setPlaylistOpen(false)} onAdded={add.onAdded} />}
    </>
  )
}

/** The result of each line of the last request. */
function LineResults({ lines }: { lines: Line[] }) {
  return (
    <div role="status">
      {lines.length > 0 && (
        <ul aria-label="Results" className="grid max-h-64 gap-2 overflow-y-auto text-sm">
          {lines.map((line, index) => (
            <li key={`${String(index)} ${line.url}`} className="grid gap-0.5 border-l-2 border-line pl-3">
              <span className="font-semibold">{RESULT_LABELS[line.result]}</span>
              <span className="line-clamp-2 text-muted wrap-anywhere">{line.url}</span>
              {line.reason && <span className="text-muted">{REASON_LABELS[line.reason]}</span>}
              {hintOf(line) && <span className="text-muted">{hintOf(line)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
