import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { type SubmitEvent, Suspense, useState } from 'react'
import { ApiError } from '../../../lib/api/api-error.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { lazyPart } from '../shared/lazy-part.ts'
import { showFailure } from '../shared/show-failure.ts'
import { addVideos } from './api.ts'
import { CATEGORIES, type Category, DEFAULT_CATEGORY } from './categories.ts'
import { hintOf, type Line, REASON_LABELS, RESULT_LABELS, skippedUrls } from './line-result-labels.ts'
import { showAddResult } from './show-add-result.ts'
import { parseUrlLines } from './url-lines.ts'

const CHOICES = CATEGORIES.map((value) => ({ value, label: value }))

const PlaylistDialog = lazyPart(async () => (await import('./playlist-dialog.tsx')).PlaylistDialog)

/**
 * Form to add videos by URL. With `keepsOtherUrls`, as in the control panel, URLs that are not from YouTube are stored
 * unchanged (docs/product/admin.md §5).
 */
export function AddVideosForm(props: {
  keepsOtherUrls?: boolean
  onAdded: (result: AddVideosResult) => void
}) {
  const { keepsOtherUrls = false, onAdded } = props
  const [text, setText] = useState('')
  const [artistName, setArtistName] = useState('')
  const [genre, setGenre] = useState('')
  const [category, setCategory] = useState<Category>(DEFAULT_CATEGORY)
  const [lines, setLines] = useState<Line[]>([])
  const [isBusy, setBusy] = useState(false)
  const [isPlaylistOpen, setPlaylistOpen] = useState(false)

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const input = parseUrlLines(text)
    if ('problem' in input) return toast({ ...input.problem, tone: 'error' })
    setBusy(true)
    try {
      const result = await addVideos({
        urls: input.urls,
        category,
        ...(keepsOtherUrls && { allowUnplayableUrls: true }),
        ...(artistName.trim() && { artistName: artistName.trim() }),
        ...(genre.trim() && { genre: genre.trim() }),
      })
      setLines(result.lines)
      onAdded(result)
      showAddResult(result)
      // Skipped URLs stay in the box, so that they can be corrected.
      setText(skippedUrls(result).join('\n'))
    } catch (failure) {
      const hasReason = failure instanceof ApiError && !failure.isOutage
      showFailure(failure, {
        title: hasReason ? 'Error adding videos' : 'Error processing videos',
        text: 'Please try again.',
      })
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
        <TextArea
          label="Video URLs"
          hint="One per line: YouTube videos or https links to mp4, webm or m3u8 files"
          required
          rows={6}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="font-mono text-sm"
        />
        <TextField
          label="Artist Name (optional)"
          maxLength={200}
          value={artistName}
          onChange={(event) => setArtistName(event.target.value)}
        />
        <TextField
          label="Genre (optional)"
          maxLength={100}
          value={genre}
          onChange={(event) => setGenre(event.target.value)}
        />
        <SelectField label="Category" choices={CHOICES} value={category} onChange={setCategory} />
        <Button type="submit" tone="primary" disabled={isBusy}>
          {isBusy ? 'Adding...' : 'Add Videos'}
        </Button>
        <Button onClick={() => setPlaylistOpen(true)}>Import a YouTube playlist...</Button>
        <LineResults lines={lines} />
      </form>
      {isPlaylistOpen && (
        <Suspense>
          <PlaylistDialog
            onClose={() => setPlaylistOpen(false)}
            onAdded={(result) => {
              setLines(result.lines)
              onAdded(result)
            }}
          />
        </Suspense>
      )}
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
