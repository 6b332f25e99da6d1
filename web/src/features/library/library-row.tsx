import type { Video } from '@looptide/contracts/http/videos'
import { formatDuration, formatPosition } from '@looptide/playhead/duration'
import { playedRange } from '@looptide/playhead/trim'
import type { MouseEvent } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { unavailableReasonText } from '../admin/video-texts.ts'
import type { MetadataProgress } from './api.ts'
import { tagText } from './tags/tag-text.ts'

/** A video of the library: checkbox, title, details and the state of its metadata lookup. */
export function LibraryRow(props: {
  video: Video
  progress: MetadataProgress | undefined
  isSelected: boolean
  onPress: (isRange: boolean) => void
  onUpdateMetadata: () => void
  onEdit: () => void
}) {
  const { video, progress, isSelected } = props
  const state = metadataState(video, progress)
  const onRowClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('button, input')) return
    props.onPress(event.shiftKey)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard uses the checkbox.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the row acts like the label of its checkbox.
    <div
      onClick={onRowClick}
      className={classNames(
        'flex cursor-pointer items-center gap-3 border-b border-line/60 px-3 py-2.5 select-none',
        isSelected ? 'bg-raised' : 'hover:bg-raised/50',
      )}
    >
      <span className="grid size-8 shrink-0 place-items-center">
        <input
          type="checkbox"
          aria-label={`Select ${video.title}`}
          checked={isSelected}
          // Handled in onClick, because change events do not carry the Shift key.
          onChange={() => undefined}
          onClick={(event) => props.onPress(event.shiftKey)}
          className="size-5 accent-primary"
        />
      </span>
      {/* Next to the checkbox, so that arrow-key navigation goes from one to the other. */}
      <IconButton icon="edit" label={`Edit ${video.title}`} onClick={props.onEdit} />
      {/* On a phone the text needs its width: title, artist, category and views are to be readable. */}
      <Thumbnail url={video.thumbnailUrl} className="hidden w-20 shrink-0 rounded-sm sm:block" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 font-medium wrap-anywhere sm:line-clamp-1" title={video.title}>
          {video.title}
        </p>
        <p className="line-clamp-5 text-sm text-muted sm:line-clamp-2">
          <bdi>{video.artistName}</bdi> • <bdi>{video.category ?? video.genre}</bdi> • {video.viewCount}{' '}
          {video.viewCount === 1 ? 'view' : 'views'}
        </p>
        {video.tags.length > 0 && (
          <p className="line-clamp-4 text-sm text-muted wrap-anywhere">Tags: {tagText(video.tags)}</p>
        )}
        {state && (
          <p className={classNames('text-sm', state.isProblem ? 'font-medium' : 'text-muted')}>
            {state.isProblem && <span aria-hidden="true">⚠ </span>}
            {state.text}
          </p>
        )}
      </div>
      <span className="shrink-0 text-sm text-muted tabular-nums">
        {video.durationAssumed ? (
          <span title="Estimated until the actual duration is known">≈ {video.duration}</span>
        ) : (
          <span title={trimText(video)}>{video.duration}</span>
        )}
      </span>
      {state?.isProblem && video.youtubeId && (
        <IconButton
          icon="again"
          label={`Retry metadata lookup: ${video.title}`}
          onClick={props.onUpdateMetadata}
        />
      )}
    </div>
  )
}

/** "0:10 to 3:20 of 4:00"; undefined for a video that is played as a whole. */
function trimText(video: Video): string | undefined {
  if (video.startAtMs === 0 && video.endAtMs === null) return undefined
  const { fromMs, toMs } = playedRange(video)
  return `${formatPosition(fromMs)} to ${formatPosition(toMs)} of ${formatDuration(video.durationMs)}`
}

const STATE_LABELS: Record<MetadataProgress['state'], string> = {
  queued: 'Queued',
  fetching: 'Fetching metadata...',
  done: 'Metadata found',
  failed: 'Failed',
}

const withReason = (text: string, reason: string | null): string =>
  reason === null ? text : `${text}: ${unavailableReasonText(reason)}`

/** State of a video's metadata lookup as a text; null once the metadata is complete. */
function metadataState(
  video: Pick<Video, 'metadataStatus' | 'unavailableReason'>,
  progress: MetadataProgress | undefined,
): { text: string; isProblem: boolean } | null {
  const isInProgress = progress?.state === 'queued' || progress?.state === 'fetching'
  if (video.metadataStatus === 'unavailable' && !isInProgress) {
    return { text: withReason('Unavailable', video.unavailableReason), isProblem: true }
  }
  if (video.metadataStatus === 'resolved' && !isInProgress) return null
  const state = progress?.state ?? 'queued'
  return { text: withReason(STATE_LABELS[state], progress?.reason ?? null), isProblem: state === 'failed' }
}
