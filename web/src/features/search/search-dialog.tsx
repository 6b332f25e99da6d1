import type { Video } from '@looptide/contracts/http/videos'
import { type ReactNode, useState } from 'react'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { DIALOG_DEBOUNCE_MS, DIALOG_LIMIT, DIALOG_MIN_LENGTH, useSearch } from './api.ts'
import { VideoDetailsDialog } from './video-details-dialog.tsx'

/**
 * Search Videos on the live page: shows the details of the chosen video, or plays it immediately. Errors show no
 * results (docs/product/viewer.md §5).
 */
export function SearchDialog(props: {
  /** Renders the buttons of a video's details beside Play This Video. */
  actions?: (video: Video) => ReactNode
  onPlay: (videoId: string) => void
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Video | null>(null)
  const query = useDebounced(text.trim(), DIALOG_DEBOUNCE_MS)
  const isTooShort = query.length < DIALOG_MIN_LENGTH
  const { data, error, isLoading } = useSearch(isTooShort ? null : { q: query }, DIALOG_LIMIT)
  const videos = isTooShort || error ? [] : (data?.videos ?? [])
  const play = (videoId: string) => {
    props.onPlay(videoId)
    props.onClose()
  }

  return (
    <Dialog title="Search Videos" isOpen onClose={props.onClose} width="medium">
      <div className="grid gap-5 sm:min-h-96 sm:content-start">
        <TextField
          label="Title, artist or genre"
          type="search"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <p role="status" className="text-sm wrap-anywhere text-muted">
          {statusText({ isTooShort, isSearching: isLoading && videos.length === 0, query, videos })}
        </p>
        <ul className="grid gap-1" aria-label="Videos found" aria-busy={isLoading}>
          {videos.map((video) => (
            <ResultRow
              key={video.id}
              video={video}
              onOpen={() => setChosen(video)}
              onPlay={() => play(video.id)}
            />
          ))}
        </ul>
      </div>
      {chosen && (
        <VideoDetailsDialog
          video={chosen}
          actions={props.actions?.(chosen)}
          onPlay={() => play(chosen.id)}
          onClose={() => setChosen(null)}
        />
      )}
    </Dialog>
  )
}

function statusText(state: { isTooShort: boolean; isSearching: boolean; query: string; videos: Video[] }) {
  if (state.isTooShort) return 'Type at least 2 characters to search'
  if (state.isSearching) return 'Searching...'
  if (state.videos.length === 0) return `No results found for "${state.query}"`
  return `${state.videos.length} video(s) found`
}

function ResultRow(props: { video: Video; onOpen: () => void; onPlay: () => void }) {
  const { title, artistName, duration, thumbnailUrl } = props.video
  return (
    <li className="-mx-2 flex items-center gap-1">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={props.onOpen}
        className="lift flex min-w-0 flex-1 items-center gap-3.5 rounded-md p-2 text-left hover:bg-raised"
      >
        <Thumbnail url={thumbnailUrl} className="w-24 shrink-0 rounded-sm sm:w-28" />
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">{title}</span>
          <span className="block truncate text-sm text-muted">{artistName}</span>
        </span>
        <span className="text-sm text-muted tabular-nums">{duration}</span>
      </button>
      <IconButton icon="play" label={`Play ${title}`} onClick={props.onPlay} />
    </li>
  )
}
