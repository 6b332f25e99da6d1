import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { type SubmitEvent, Suspense, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { lazyPart } from '../desk/lazy-part.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { addVideos } from './api.ts'
import { CATEGORIES, type Category, DEFAULT_CATEGORY } from './categories.ts'
import { tellAdded } from './tell-added.ts'
import { readUrlLines } from './url-lines.ts'
import { hintOf, type Line, REASONS, refusedLines, VERDICTS } from './verdict-words.ts'

const CHOICES = CATEGORIES.map((value) => ({ value, label: value }))

const PlaylistDialog = lazyPart(async () => (await import('./playlist-dialog.tsx')).PlaylistDialog)

/**
 * Adds videos by their addresses. With `keepsOtherUrls`, as the control panel does, other web addresses are kept raw
 * (admin specification §5).
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
    const read = readUrlLines(text)
    if ('problem' in read) return toast({ ...read.problem, tone: 'error' })
    setBusy(true)
    try {
      const result = await addVideos({
        urls: read.urls,
        category,
        ...(keepsOtherUrls && { allowUnplayableUrls: true }),
        ...(artistName.trim() && { artistName: artistName.trim() }),
        ...(genre.trim() && { genre: genre.trim() }),
      })
      setLines(result.lines)
      onAdded(result)
      tellAdded(result)
      // What was refused stays in the box, to be corrected.
      setText(refusedLines(result).join('\n'))
    } catch (failure) {
      const isAnswer = failure instanceof ApiError && !failure.isOutage
      tellFailure(failure, {
        title: isAnswer ? 'Error adding videos' : 'Error processing videos',
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
          hint="One per line: YouTube videos, or https addresses of mp4, webm or m3u8 files"
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
        <Verdicts lines={lines} />
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

/** What became of each line of the last request. */
function Verdicts({ lines }: { lines: Line[] }) {
  return (
    <div role="status">
      {lines.length > 0 && (
        <ul aria-label="Verdicts" className="grid max-h-64 gap-2 overflow-y-auto text-sm">
          {lines.map((line, index) => (
            <li key={`${String(index)} ${line.url}`} className="grid gap-0.5 border-l-2 border-line pl-3">
              <span className="font-semibold">{VERDICTS[line.result]}</span>
              <span className="truncate text-muted">{line.url}</span>
              {line.reason && <span className="text-muted">{REASONS[line.reason]}</span>}
              {hintOf(line) && <span className="text-muted">{hintOf(line)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
