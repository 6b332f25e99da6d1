import type { Video } from '@looptide/contracts/http/videos'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ReviewNote } from '../../ui/review-note.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { toast } from '../../ui/toast.ts'

const DATE = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'long' })

/** The details of a video, with its actions (docs/product/viewer.md §2, "Home"). */
export function DetailsDialog(props: {
  video: Video
  /** Further buttons beside Play Now. */
  actions?: ReactNode
  onPlay: () => void
  onClose: () => void
  onClosed: () => void
}) {
  const { video } = props
  const playButton = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      title={video.title}
      isOpen
      onClose={props.onClose}
      onClosed={props.onClosed}
      initialFocus={playButton}
      width="wide"
    >
      <div className="grid gap-6 md:grid-cols-[3fr_2fr]">
        <Thumbnail url={video.thumbnailUrl} isEager className="h-fit rounded-md" />
        <div className="grid content-start gap-5">
          <p className="text-lg text-muted">
            by{' '}
            <Link
              to={paths.search({ artist: video.artistName })}
              className="rounded-sm font-semibold text-text underline decoration-line underline-offset-4 hover:decoration-current"
            >
              {video.artistName}
            </Link>
          </p>
          <Facts video={video} />
          <ReviewNote video={video} />
          <div className="flex flex-wrap gap-3">
            <Button tone="primary" icon="play" ref={playButton} onClick={props.onPlay} className="px-6">
              Play Now
            </Button>
            {props.actions}
            <Button icon="share" onClick={() => void shareVideo(video)}>
              Share
            </Button>
          </div>
        </div>
        {video.description && (
          <p className="max-w-prose wrap-anywhere whitespace-pre-line text-muted md:col-span-2">
            {video.description}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function Facts({ video }: { video: Video }) {
  const facts = [
    ['Genre', video.genre ?? 'Music'],
    ['Duration', video.duration],
    ['Added', DATE.format(new Date(video.createdAt))],
  ] as const
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
      {facts.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 font-medium wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Shares the video's URL with the device's share sheet if there is one, else copies it to the clipboard. */
async function shareVideo({ id, title, artistName }: Video): Promise<void> {
  const url = new URL(paths.video(id), window.location.origin).href
  const sheet = { title: `${title} – ${artistName}`, url }
  try {
    if (isTouchDevice() && navigator.canShare?.(sheet)) await navigator.share(sheet)
    else {
      await navigator.clipboard.writeText(url)
      toast({ title: 'Link copied', description: url })
    }
  } catch (failure) {
    // Closing the sheet is not a failure.
    if (failure instanceof DOMException && failure.name === 'AbortError') return
    toast({ title: 'Link to this video', description: url, durationMs: 15_000 })
  }
}

const isTouchDevice = (): boolean => window.matchMedia('(pointer: coarse)').matches
