import type { Channel } from '@looptide/contracts/http/channels'
import type { SimulateBody } from '@looptide/contracts/http/simulation'
import type { Video } from '@looptide/contracts/http/videos'
import { topics } from '@looptide/contracts/realtime'
import { useRef, useState } from 'react'
import { numberText } from '../../lib/count-text.ts'
import { useTopic } from '../../lib/realtime/use-topic.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { useVideoChoices } from './api.ts'
import { type PlaylistDraft, simulationBody, toEntry } from './draft.ts'
import { SimulationPanel } from './simulation-panel.tsx'

const DEBOUNCE_MS = 300
/** Maximum number of videos that one request can add. */
const MAX_ADDED = 500

/**
 * Selects public videos to append to the playlist, with a preview of the resulting programme. They are added to the
 * open draft, if there is one.
 */
export function AddVideosDialog(props: {
  channel: Channel
  draft: PlaylistDraft | undefined
  /** Resolves to whether the videos were added. */
  onAdd: (videos: readonly Video[]) => Promise<boolean>
  onClose: () => void
}) {
  const { channel, draft, onClose } = props
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<readonly Video[]>([])
  const [isBusy, setBusy] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const query = useDebounced(text.trim(), DEBOUNCE_MS)
  const simulated = useDebounced(chosen, DEBOUNCE_MS)
  const ids = chosen.map(({ id }) => id)

  // A deleted video cannot be added, so it is deselected. The scheduler refuses those of which this page was not notified.
  useTopic(
    'admin',
    topics.admin,
    { video_removed: ({ videoId }) => setChosen((known) => known.filter(({ id }) => id !== videoId)) },
    null,
  )

  const toggle = (video: Video) =>
    setChosen((known) =>
      known.some(({ id }) => id === video.id)
        ? known.filter(({ id }) => id !== video.id)
        : [...known, video].slice(0, MAX_ADDED),
    )
  const add = async () => {
    setBusy(true)
    if (await props.onAdd(chosen)) onClose()
    else setBusy(false)
  }

  return (
    <Dialog
      title={`Add Videos to ${channel.name}`}
      isOpen
      onClose={onClose}
      width="wide"
      initialFocus={search}
    >
      <div className="grid gap-6 md:grid-cols-2">
        <div className="grid min-w-0 content-start gap-3">
          <TextField
            ref={search}
            label="Find public videos"
            type="search"
            placeholder="Title, artist or genre"
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <Choices text={query} chosen={ids} onToggle={toggle} />
        </div>
        <SimulationPanel channel={channel} changes={simulationWith(draft, simulated)} isCompact />
      </div>
      <div className="sticky -bottom-5 -mx-5 mt-5 -mb-5 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-panel px-5 py-4">
        <p role="status" className="mr-auto text-sm text-muted">
          {numberText(chosen.length)} selected
        </p>
        <Button disabled={chosen.length === 0} onClick={() => setChosen([])}>
          Clear
        </Button>
        <Button tone="primary" isBusy={isBusy} disabled={chosen.length === 0} onClick={() => void add()}>
          Add to playlist
        </Button>
      </div>
    </Dialog>
  )
}

/** The request that simulates the playlist with the chosen videos appended. */
function simulationWith(draft: PlaylistDraft | undefined, videos: readonly Video[]): SimulateBody {
  if (draft === undefined) {
    return videos.length === 0 ? {} : { add: { videoIds: videos.map(({ id }) => id) } }
  }
  const added = videos.map((video) => toEntry({ id: video.id, videoId: video.id, video }))
  return simulationBody({ ...draft, entries: [...draft.entries, ...added] })
}

function Choices(props: { text: string; chosen: readonly string[]; onToggle: (video: Video) => void }) {
  const { data, error, mutate } = useVideoChoices(props.text)
  if (!data) {
    if (error) return <ErrorNotice text="Failed to load videos" onRetry={() => void mutate()} />
    return <Skeleton className="h-80" />
  }
  if (data.items.length === 0) return <EmptyNotice title="No matching public videos" />
  return (
    <>
      <ul
        aria-label="Public videos"
        className="h-80 overflow-y-auto overscroll-contain rounded-md border border-line/70 bg-deep p-1"
      >
        {data.items.map((video) => (
          <li key={video.id}>
            <label className="flex min-h-14 cursor-pointer items-center gap-3 rounded-md p-2 hover:bg-raised has-focus-visible:outline-3 has-focus-visible:-outline-offset-2 has-focus-visible:outline-focus">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-primary"
                checked={props.chosen.includes(video.id)}
                onChange={() => props.onToggle(video)}
              />
              <Thumbnail url={video.thumbnailUrl} className="w-16 shrink-0 rounded-sm" />
              <span className="min-w-0 flex-1">
                <span className="block text-sm font-medium wrap-anywhere">{video.title}</span>
                <span className="block text-sm wrap-anywhere text-muted">
                  <bdi>{video.artistName}</bdi> • {video.duration}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {data.nextCursor && (
        <p className="text-sm text-muted">Showing the first {data.items.length}. Search to find more.</p>
      )}
    </>
  )
}
