import type { Video } from '@looptide/contracts/http/videos'
import { useState } from 'react'
import { useCall } from '../../lib/api/use-call.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { TextField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'

const DEBOUNCE_MS = 300
/** Number of videos that are shown. */
const PICKER_SIZE = 30

/** Public videos that contain the text, newest first (docs/product/admin.md §7). */
function useVideoChoices(q: string) {
  return useCall(
    'GET /api/videos',
    { query: { q: q || undefined, sort: 'newest', limit: PICKER_SIZE } },
    { revalidateOnFocus: false, keepPreviousData: true },
  )
}

/** Selects one of the public videos, with search on the server. */
export function VideoPicker(props: { chosen: Video | null; onChoose: (video: Video) => void }) {
  const { chosen, onChoose } = props
  return (
    <div className="grid gap-3">
      <VideoChoices chosen={chosen ? [chosen] : []} onChoose={onChoose} />
      <p className="text-sm" aria-live="polite">
        <span className="text-muted">Selected: </span>
        {chosen ? (
          <span className="font-semibold wrap-anywhere">
            {chosen.title} <span className="font-normal text-muted">{chosen.artistName}</span>
          </span>
        ) : (
          'none'
        )}
      </p>
    </div>
  )
}

/** The public videos, with search on the server; the chosen ones are marked. */
export function VideoChoices(props: { chosen: readonly Video[]; onChoose: (video: Video) => void }) {
  const [text, setText] = useState('')
  const query = useDebounced(text.trim(), DEBOUNCE_MS)
  const { data, error, mutate, isValidating } = useVideoChoices(query)
  return (
    <>
      <TextField
        label="Find a video"
        type="search"
        placeholder="Title, artist or genre"
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {error && !data ? (
        <div role="alert" className="flex flex-wrap items-center gap-3 text-sm text-muted">
          Failed to load videos
          <Button onClick={() => void mutate()}>Try again</Button>
        </div>
      ) : data ? (
        <Choices videos={data.items} isBusy={isValidating} {...props} />
      ) : (
        <div role="status" aria-label="Loading videos" className="grid h-64 content-start gap-2">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </div>
      )}
    </>
  )
}

function Choices(props: {
  videos: readonly Video[]
  isBusy: boolean
  chosen: readonly Video[]
  onChoose: (video: Video) => void
}) {
  if (props.videos.length === 0) {
    return <p className="h-64 py-6 text-center text-sm text-muted">No matching public videos.</p>
  }
  const chosenIds = new Set(props.chosen.map(({ id }) => id))
  return (
    <ul
      aria-label="Videos to choose from"
      aria-busy={props.isBusy}
      className="h-64 overflow-y-auto overscroll-contain rounded-md bg-deep p-1.5"
    >
      {props.videos.map((video) => {
        const isChosen = chosenIds.has(video.id)
        return (
          <li key={video.id}>
            <button
              type="button"
              aria-pressed={isChosen}
              onClick={() => props.onChoose(video)}
              className={classNames(
                'lift flex min-h-14 w-full items-center gap-3 rounded-md p-1.5 text-left hover:bg-raised',
                isChosen && 'bg-raised',
              )}
            >
              <Thumbnail url={video.thumbnailUrl} className="w-20 shrink-0 rounded-sm" />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-sm font-medium">{video.title}</span>
                <span className="block truncate text-sm text-muted">{video.artistName}</span>
              </span>
              {isChosen && <Icon name="check" className="mr-1 size-5 shrink-0 text-accent" />}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
