import type { Video } from '@looptide/contracts/http/videos'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import type { Selection } from '../admin/selection.ts'
import type { Library, LibraryQuery } from './api.ts'
import { type Column, type LibraryRowData, tracksOf } from './library-columns.tsx'
import { afterHeadClick, type Sort } from './sorts.ts'
import { tagText } from './tags/tag-text.ts'
import { DurationText, metadataState, StateText, viewsText } from './video-state.tsx'

/** Height of a row of the table, and estimated height of a row without columns before it is measured, in px. */
const ROW_PX = { table: 45, list: 76 }
/** The next page is loaded when fewer rows than this remain below. */
const ROWS_AHEAD = 20

/** At least 24 rem high (docs/product/admin.md §9); on wide screens it extends to the end of the page. */
const LIST_BOX = 'h-96 rounded-lg border border-line/70 bg-panel lg:h-auto lg:min-h-96 lg:grow lg:basis-0'

export interface LibraryListProps {
  videos: readonly Video[]
  library: Library
  selected: Selection
  /** The columns of the table; null for a list whose rows have several lines, where a table has no room. */
  columns: readonly Column[] | null
  query: LibraryQuery
  onSort: (sort: Sort) => void
  onPress: (id: string, isRange: boolean) => void
  onEdit: (id: string) => void
  onUpdateMetadata: (id: string) => void
}

/** The library as a virtual table. More pages are loaded when the user scrolls near the end. */
export function LibraryList(props: LibraryListProps) {
  const { videos, library, columns } = props
  const { hasMore, isLoadingMore, loadMore } = library
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: videos.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (columns ? ROW_PX.table : ROW_PX.list),
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
      <table
        aria-label="Videos"
        aria-rowcount={library.total === undefined ? -1 : library.total + 1}
        className="block text-sm"
      >
        <Head columns={columns} query={props.query} onSort={props.onSort} />
        <tbody className="relative block" style={{ height: rows.getTotalSize() }}>
          {shown.map(({ key, index, start }) => {
            const video = videos[index]
            if (!video) return null
            return (
              <tr
                key={key}
                ref={columns ? undefined : rows.measureElement}
                data-index={index}
                data-video={video.id}
                aria-rowindex={index + 2}
                onClick={({ target, shiftKey }) => {
                  if (target instanceof Element && target.closest('button, input')) return
                  props.onPress(video.id, shiftKey)
                }}
                className={classNames(
                  ROW,
                  'absolute inset-x-0 top-0 cursor-pointer border-b border-line/60 select-none',
                  props.selected.has(video.id) ? 'bg-raised' : 'hover:bg-raised/50',
                )}
                style={{ transform: `translateY(${start}px)`, gridTemplateColumns: tracksOf(columns) }}
              >
                <Cells
                  video={video}
                  progress={video.youtubeId ? library.progressOf(video.youtubeId) : undefined}
                  batch={batchOf(videos, index)}
                  columns={columns}
                  isSelected={props.selected.has(video.id)}
                  onPress={(isRange) => props.onPress(video.id, isRange)}
                  onUpdateMetadata={() => props.onUpdateMetadata(video.id)}
                  onEdit={() => props.onEdit(video.id)}
                />
              </tr>
            )
          })}
        </tbody>
      </table>
      {hasMore && (
        <div role="status" aria-label="Loading more videos" className="p-3">
          <Skeleton className="h-12" />
        </div>
      )}
    </div>
  )
}

/** A row is a grid, so that rows that are placed one by one have the same columns. */
const ROW = 'grid items-center gap-2 px-3'

/** Number of videos whose airings are read in one request. */
const BATCH = 50

/** The ids of a video's batch: those of the rows from the last multiple of {@link BATCH} on. */
function batchOf(videos: readonly Video[], index: number): string {
  const start = index - (index % BATCH)
  return videos
    .slice(start, start + BATCH)
    .map(({ id }) => id)
    .join(',')
}

/** The heads of the columns; those by which the list can be sorted are buttons. */
function Head({ columns, query, onSort }: Pick<LibraryListProps, 'columns' | 'query' | 'onSort'>) {
  return (
    <thead className={columns ? 'sticky top-0 z-10 block border-b border-line bg-panel' : 'sr-only'}>
      <tr aria-rowindex={1} className={ROW} style={{ gridTemplateColumns: tracksOf(columns) }}>
        <th scope="col">
          <span className="sr-only">Selected</span>
        </th>
        {columns ? (
          columns.map((column) => (
            <ColumnHead key={column.id} column={column} query={query} onSort={onSort} />
          ))
        ) : (
          <th scope="col">Video</th>
        )}
        <th scope="col" className={columns ? ACTIONS.table : ACTIONS.list}>
          <span className="sr-only">Actions</span>
        </th>
      </tr>
    </thead>
  )
}

function ColumnHead(props: { column: Column; query: LibraryQuery; onSort: (sort: Sort) => void }) {
  const { query } = props
  const { label, sort } = props.column
  const isSorted = sort === query.sort
  const isDescending = (query.sort === 'newest') !== query.reverse
  return (
    <th
      scope="col"
      aria-sort={!isSorted ? undefined : isDescending ? 'descending' : 'ascending'}
      className="min-w-0 text-left text-xs font-semibold text-muted"
    >
      {sort ? (
        <button
          type="button"
          onClick={() => props.onSort(afterHeadClick(query, sort).value)}
          className={classNames(
            '-mx-1 flex min-h-9 max-w-full items-center gap-1 rounded-sm px-1 hover:text-text',
            isSorted && 'text-text',
          )}
        >
          <span className="truncate">{label}</span>
          {isSorted && <Icon name={isDescending ? 'down' : 'up'} className="size-3.5 shrink-0" />}
        </button>
      ) : (
        <span className="block truncate">{label}</span>
      )}
    </th>
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
        <Skeleton key={String(index)} className="h-10" />
      ))}
    </div>
  )
}

/** The buttons at the end of a row: side by side in the table, else one above the other. */
const ACTIONS = { table: 'flex w-18 justify-end', list: 'flex w-11 flex-col' }
const ACTION = { table: 'size-9 min-h-9', list: '' }

/** A video of the library: checkbox, the columns or the lines of its details, and buttons. */
function Cells(
  props: LibraryRowData & {
    columns: readonly Column[] | null
    isSelected: boolean
    onPress: (isRange: boolean) => void
    onUpdateMetadata: () => void
    onEdit: () => void
  },
) {
  const { video, progress, batch, columns } = props
  const form = columns ? 'table' : 'list'
  return (
    <>
      <td className="grid h-11 place-items-center">
        <input
          type="checkbox"
          aria-label={`Select ${video.title}`}
          checked={props.isSelected}
          // Handled in onClick, because change events do not carry the Shift key.
          onChange={() => undefined}
          onClick={(event) => props.onPress(event.shiftKey)}
          className="size-5 scroll-mt-14 scroll-mb-4 accent-primary"
        />
      </td>
      {columns ? (
        columns.map(({ id, cell }) => (
          <td key={id} className="min-w-0">
            {cell({ video, progress, batch })}
          </td>
        ))
      ) : (
        <td className="min-w-0 py-2.5">
          <Details video={video} progress={progress} batch={batch} />
        </td>
      )}
      <td className={ACTIONS[form]}>
        {metadataState(video, progress)?.isProblem && video.youtubeId && (
          <IconButton
            icon="again"
            label={`Retry metadata lookup: ${video.title}`}
            onClick={props.onUpdateMetadata}
            className={ACTION[form]}
          />
        )}
        <IconButton
          icon="edit"
          label={`Edit ${video.title}`}
          onClick={props.onEdit}
          className={ACTION[form]}
        />
      </td>
    </>
  )
}

/** The whole text of a video on several lines, to be readable on a phone. */
function Details({ video, progress }: LibraryRowData) {
  return (
    <div className="flex items-start gap-3">
      <Thumbnail url={video.thumbnailUrl} className="hidden w-20 shrink-0 rounded-sm @md:block" />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 text-base font-medium wrap-anywhere" title={video.title}>
          {video.title}
        </p>
        <p className="line-clamp-5 text-muted">
          <bdi>{video.artistName}</bdi> • <bdi>{video.category ?? video.genre}</bdi> • {viewsText(video)} •{' '}
          <DurationText video={video} />
        </p>
        {video.tags.length > 0 && (
          <p className="line-clamp-4 text-muted wrap-anywhere">Tags: {tagText(video.tags)}</p>
        )}
        <StateText video={video} progress={progress} className="" />
      </div>
    </div>
  )
}
