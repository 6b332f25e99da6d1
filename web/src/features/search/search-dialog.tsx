import { useEffect, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { DIALOG_DEBOUNCE_MS, DIALOG_LIMIT, DIALOG_MIN_LENGTH, useSearch } from './api.ts'

/** Search Videos on the live page: plays what is chosen. Errors show no results (viewer specification §5). */
export function SearchDialog(props: { onPlay: (videoId: string) => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const query = useDebounced(text.trim(), DIALOG_DEBOUNCE_MS)
  const isTooShort = query.length < DIALOG_MIN_LENGTH
  const { data, error } = useSearch(isTooShort ? null : { q: query }, DIALOG_LIMIT)
  const videos = isTooShort || error ? [] : (data?.videos ?? [])

  return (
    <Dialog title="Search Videos" isOpen onClose={props.onClose} width="medium">
      <div className="grid gap-5">
        <TextField
          label="Title, artist or genre"
          type="search"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p role="status" className="text-sm text-muted">
          {isTooShort
            ? 'Type at least 2 characters to search'
            : !data && !error
              ? 'Searching...'
              : videos.length === 0
                ? `No results found for "${query}"`
                : `${videos.length} video(s) found`}
        </p>
        <ul className="grid gap-1">
          {videos.map((video) => (
            <li key={video.id}>
              <button
                type="button"
                onClick={() => {
                  props.onPlay(video.id)
                  props.onClose()
                }}
                className="lift -mx-2 flex w-[calc(100%+1rem)] items-center gap-3.5 rounded-md p-2 text-left hover:bg-raised"
              >
                <Thumbnail url={video.thumbnailUrl} className="w-28 shrink-0 rounded-sm" />
                <span className="sr-only">Play This Video: </span>
                <span className="min-w-0">
                  <span className="block truncate font-medium">{video.title}</span>
                  <span className="block truncate text-sm text-muted">{video.artistName}</span>
                </span>
                <span className="ml-auto text-sm text-muted tabular-nums">{video.duration}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

/** The value once it has stood still for a while. */
function useDebounced(value: string, delayMs: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
