import type { Video } from '@looptide/contracts/http/videos'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Selection } from '../admin/selection.ts'
import type { Library } from './api.ts'
import { LibraryRow } from './library-row.tsx'

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
