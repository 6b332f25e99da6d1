import type { Video } from '@looptide/contracts/http/videos'
import { formatDuration, formatPosition } from '@looptide/playhead/duration'
import { playedRange } from '@looptide/playhead/trim'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useRef } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import type { Selection } from '../admin/selection.ts'
import { unavailableReasonText } from '../admin/video-texts.ts'
import type { Library, MetadataProgress } from './api.ts'
import { tagText } from './tags/tag-text.ts'

/** Estimated height of a row before it is measured, in px. */
const ROW_PX = 76
/** The next page is loaded when fewer rows than this remain below. */
const ROWS_AHEAD = 20

/** At least 24 rem high (docs/product/admin.md §9); on wide screens it extends to the end of the page. */
const LIST_BOX = 'h-96 rounded-lg border border-line/70 bg-panel lg:h-auto lg:min-h-96 lg:grow lg:basis-0'

/** The rows of the library as a virtual list. More pages are loaded when the user scrolls near the end. */
export function LibraryList(props: {
  videos: readonly Video[]
  library: Library
  selected: Selection
  onPress: (id: string, isRange: boolean) => void
  onEdit: (id: string) => void
  onUpdateMetadata: (id: string) => void
}) {
  const { videos, library } = props
  const { hasMore, isLoadingMore, loadMore } = library
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: videos.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => videos[index]?.id ?? index,
    overscan: 8,
  })
  const shown = rows.getVirtualItems()
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= videos.length - ROWS_AHEAD
  useEffect(() => {
    if (isNearEnd && hasMore && !isLoadingMore) loadMore()
  }, [isNearEnd, hasMore, isLoadingMore, loadMore])

  return (
    <div ref={scroller} className={classNames('overflow-y-auto overscroll-contain', LIST_BOX)}>
      <ul aria-label="Videos" className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ key, index, start }) => {
          const video = videos[index]
          if (!video) return null
          return (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={library.total ?? -1}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <LibraryRow
                video={video}
                progress={video.youtubeId ? library.progressOf(video.youtubeId) : undefined}
                isSelected={props.selected.has(video.id)}
                onPress={(isRange) => props.onPress(video.id, isRange)}
                onUpdateMetadata={() => props.onUpdateMetadata(video.id)}
                onEdit={() => props.onEdit(video.id)}
              />
            </li>
          )
        })}
      </ul>
      {hasMore && (
        <div role="status" aria-label="Loading more videos" className="p-3">
          <Skeleton className="h-12" />
        </div>
      )}
    </div>
  )
}

/** Placeholder while the list is loading. */
export function LibrarySkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading library"
      className={classNames('grid content-start gap-2 overflow-hidden p-3', LIST_BOX)}
    >
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={String(index)} className="h-16" />
      ))}
    </div>
  )
}

/** A video of the library: checkbox, title, details and the state of its metadata lookup. */
function LibraryRow(props: {
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
