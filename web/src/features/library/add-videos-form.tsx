import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { useLossGuard } from '../../lib/browser/loss-guard.ts'
import { showFailure } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { Form, SubmitButton } from '../../ui/form.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { CATEGORIES, type Category, DEFAULT_CATEGORY } from '../admin/categories.ts'
import { lazyDialog } from '../admin/lazy-part.ts'
import { hintOf, type Line, REASON_LABELS, RESULT_LABELS, showAddResult, skippedUrls } from './add-result.ts'
import { addVideos } from './api.ts'
import { parseUrlLines } from './url-lines.ts'

const CHOICES = CATEGORIES.map((value) => ({ value, label: value }))

const PlaylistDialog = lazyDialog(async () => (await import('./playlist-dialog.tsx')).PlaylistDialog)

/**
 * Form to add videos by URL. With `keepsOtherUrls`, as in the control panel, URLs that are not from YouTube are stored
 * unchanged (docs/product/admin.md §5).
 */
export function AddVideosForm(props: {
  keepsOtherUrls?: boolean
  onAdded: (result: AddVideosResult) => void
}) {
  const { keepsOtherUrls = false } = props
  const [lines, setLines] = useState<Line[]>([])
  const [isPlaylistOpen, setPlaylistOpen] = useState(false)
  const onAdded = (result: AddVideosResult) => {
    setLines(result.lines)
    props.onAdded(result)
  }
  const { values, change, form } = useAddVideos(keepsOtherUrls, onAdded)
  useLossGuard([values.urls, values.artistName, values.genre].some((text) => text.trim() !== ''))

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
        <LineResults lines={lines} />
      </Form>
      {isPlaylistOpen && <PlaylistDialog onClose={() => setPlaylistOpen(false)} onAdded={onAdded} />}
    </>
  )
}

const EMPTY = { urls: '', artistName: '', genre: '', category: DEFAULT_CATEGORY as Category }

/** The values of the form, and the request that adds the videos. */
function useAddVideos(keepsOtherUrls: boolean, onAdded: (result: AddVideosResult) => void) {
  const [values, setValues] = useState(EMPTY)
  const change = (part: Partial<typeof EMPTY>) => setValues((known) => ({ ...known, ...part }))
  const form = useForm({
    send: async () => {
      const input = parseUrlLines(values.urls)
      if ('problem' in input) {
        toast({ ...input.problem, tone: 'error' })
        return
      }
      const [artistName, genre] = [values.artistName.trim(), values.genre.trim()]
      const result = await addVideos({
        urls: input.urls,
        category: values.category,
        ...(keepsOtherUrls && { allowUnplayableUrls: true }),
        ...(artistName && { artistName }),
        ...(genre && { genre }),
      })
      onAdded(result)
      showAddResult(result)
      // Skipped URLs stay in the box, so that they can be corrected.
      change({ urls: skippedUrls(result).join('\n') })
    },
    onFailure: (failure) => {
      const hasReason = failure instanceof ApiError && !failure.isOutage
      showFailure(failure, {
        title: hasReason ? 'Error adding videos' : 'Error processing videos',
        text: 'Please try again.',
      })
    },
  })
  return { values, change, form }
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
