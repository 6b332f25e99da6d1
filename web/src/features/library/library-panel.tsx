import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { type ReactNode, type RefObject, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { numberText } from '../../lib/count-text.ts'
import { useFailureToast } from '../../lib/failures.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { useAdminSave } from '../admin/admin-save.ts'
import { type Library, useLibrary } from './api.ts'
import { BulkBar, useBulkActions } from './bulk-bar.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { columnsIn } from './library-columns.tsx'
import { LibraryDialogs, type OpenDialog } from './library-dialogs.tsx'
import { LibraryList, type LibraryListProps, LibrarySkeleton } from './library-list.tsx'
import { LibraryTools } from './library-tools.tsx'
import type { UpdateProgress } from './metadata-update.ts'
import { useAddToLive } from './use-add-to-live.tsx'
import { useAddVideos } from './use-add-videos.ts'
import { useLibraryKeys } from './use-library-keys.ts'
import { useLibraryQuery } from './use-library-query.ts'
import { useLibrarySelection } from './use-library-selection.ts'
import { useMetadataUpdate } from './use-metadata-update.ts'
import { videoSelection } from './video-selection.ts'

export interface LibraryHandle {
  showAdded: (result: AddVideosResult) => void
}

/** Width from which the library is a table, in px. */
const TABLE_FROM_PX = 640

/**
 * The "Video Library": the list with search, selection and bulk actions, and dialogs that add and change videos. With
 * `keepsOtherUrls`, see {@link useAddVideos}.
 */
export function LibraryPanel(props: { handle?: RefObject<LibraryHandle | null>; keepsOtherUrls?: boolean }) {
  const { tools, query, isFiltered, filter, apply, hiddenColumns, onHideColumns } = useLibraryQuery()
  const panel = useRef<HTMLElement>(null)
  const width = useWidth(panel)
  const isNarrow = width < TABLE_FROM_PX
  const columns = isNarrow ? null : columnsIn(width, hiddenColumns)
  const selection = useLibrarySelection()
  const { selected, clear } = selection
  const [open, setOpen] = useState<OpenDialog>(null)

  const update = useMetadataUpdate()
  const library = useLibrary(query, {
    onRemoved: selection.deselect,
    onLookup: update.observe,
  })
  const videosOfSelection = () => videoSelection(selected, selection.all)
  const bulk = useBulkActions(selected, videosOfSelection, clear)
  const live = useAddToLive(selected, clear)

  const onAdded = (result: AddVideosResult) => {
    library.showAdded(result)
    if (result.added === result.lines.length) setOpen(null)
  }
  const add = useAddVideos(props.keepsOtherUrls ?? false, onAdded)

  useImperativeHandle(props.handle, () => ({ showAdded: library.showAdded }))
  useAdminSave(async () => {
    await library.reloadOrThrow()
    toast({ title: 'Video Library Saved', tone: 'success' })
  })

  const { videos } = library
  useFailureToast(library.error, { title: 'Error loading videos', text: 'Please try again.' })

  const onPress = (id: string, isRange: boolean) => selection.select(videos, id, isRange)
  const onEdit = (id: string) => setOpen({ edited: id })
  useLibraryKeys(panel, { onSelect: onPress, onEdit })

  return (
    <section ref={panel} aria-labelledby="library" className="@container flex min-w-0 grow flex-col gap-3">
      <Header library={library} isNarrow={isNarrow} onAdd={() => setOpen('add')}>
        <LibraryTools {...tools} isNarrow={isNarrow} />
      </Header>
      <BulkBar
        selectedCount={selected.size}
        isEmpty={!videos?.length}
        isSelecting={selection.isSelecting}
        isBusy={bulk.isBusy || live.isBusy}
        onSelectAll={() => void selection.selectAll(query)}
        onClear={clear}
        onAddToLive={() => void live.preview()}
        onAddToChannel={() => setOpen('add-to-channel')}
        onMove={(category) => void bulk.moveTo(category)}
        onEdit={() => setOpen('edit-many')}
        onDelete={() => setOpen('delete')}
      >
        <ListActions update={update} onOpen={setOpen} />
        {columns && <ColumnsMenu shown={columns} hidden={hiddenColumns} onHide={onHideColumns} />}
      </BulkBar>
      <MetadataUpdateProgress progress={update.progress} />
      <LibraryBody
        library={library}
        isFiltered={isFiltered}
        selected={selected}
        columns={columns}
        query={query}
        onSort={tools.onSort}
        onPress={onPress}
        onUpdateMetadata={(id) => void update.start([id])}
        onEdit={onEdit}
      />
      {live.dialog}
      <LibraryDialogs
        open={open}
        library={library}
        add={add}
        videos={videos ?? []}
        selected={selected}
        videosOfSelection={videosOfSelection}
        bulk={bulk}
        filter={filter}
        onApplyFilter={apply}
        onDone={clear}
        onClose={() => setOpen(null)}
      />
    </section>
  )
}

/** The count, `children`, and the button that adds videos: in a narrow panel without its text. */
function Header(props: { library: Library; isNarrow: boolean; onAdd: () => void; children: ReactNode }) {
  const { isNarrow } = props
  const { total, isTotalCapped } = props.library
  return (
    <div className="flex flex-wrap items-center gap-3">
      <h2 id="library" className="mr-auto text-xl font-semibold">
        Video Library ({total === undefined ? '…' : numberText(total)}
        {isTotalCapped && '+'})
      </h2>
      {props.children}
      <Button
        tone="primary"
        icon="plus"
        className={isNarrow ? 'size-11 p-0' : undefined}
        onClick={props.onAdd}
      >
        <span className={isNarrow ? 'sr-only' : undefined}>Add New Videos</span>
      </Button>
    </div>
  )
}

/** What is done without a selection. */
function ListActions({
  update,
  onOpen,
}: {
  update: ReturnType<typeof useMetadataUpdate>
  onOpen: (dialog: OpenDialog) => void
}) {
  return (
    <>
      <Button disabled={update.isRequesting} onClick={() => void update.start()}>
        {update.isRequesting ? 'Updating...' : 'Update Metadata'}
      </Button>
      <Button onClick={() => onOpen('changes')}>Recent changes</Button>
      <Button className="mr-auto" onClick={() => onOpen('deleted')}>
        Recently deleted
      </Button>
      <Button icon="list" onClick={() => onOpen('filters')}>
        Saved filters
      </Button>
    </>
  )
}

function MetadataUpdateProgress({ progress }: { progress: UpdateProgress | null }) {
  if (!progress) return null
  return (
    <p role="status" className="text-sm text-muted tabular-nums">
      Updating metadata: {progress.found + progress.failed} of {progress.requested}
    </p>
  )
}

/** The list, or a placeholder, error or empty notice. */
function LibraryBody({
  isFiltered,
  ...list
}: Omit<LibraryListProps, 'videos'> & {
  /** A search text or a filter is active. */
  isFiltered: boolean
}) {
  const { videos, error, hasMore, reload } = list.library
  if (videos === undefined) {
    if (error === undefined) return <LibrarySkeleton />
    return <ErrorNotice text="Error loading videos" onRetry={() => void reload()} />
  }
  if (videos.length > 0 || hasMore) {
    return <LibraryList key={list.columns ? 'table' : 'list'} videos={videos} {...list} />
  }
  return isFiltered ? (
    <EmptyNotice title="No videos found">Try another search or category.</EmptyNotice>
  ) : (
    <EmptyNotice title="No videos yet">Add the first ones by URL.</EmptyNotice>
  )
}

/** The width of an element, in px; 0 until it is known. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!element.current) return
    const observed = element.current
    const measure = () => setWidth(observed.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return width
}
