import type { VideoFilter } from '@looptide/contracts/http/video-filters'
import type { AddVideosResult, Video } from '@looptide/contracts/http/videos'
import { type RefObject, useImperativeHandle, useRef, useState } from 'react'
import { useLossGuard } from '../../lib/browser/loss-guard.ts'
import { showFailure, useFailureToast } from '../../lib/failures.ts'
import { useDebounced } from '../../lib/time/use-debounced.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { useAdminSave } from '../admin/admin-save.ts'
import { useSectionSettings } from '../admin/section-settings.ts'
import { afterClick, type Selection, withoutRows } from '../admin/selection.ts'
import { type Library, useLibrary } from './api.ts'
import { BulkBar, useBulkActions } from './bulk-bar.tsx'
import { useCsvTitle } from './csv/csv-dialog.tsx'
import { LibraryDialogs, type OpenDialog } from './library-dialogs.tsx'
import { LibraryList, LibrarySkeleton } from './library-list.tsx'
import { isFilter, LibraryTools } from './library-tools.tsx'
import type { UpdateProgress } from './metadata-update.ts'
import { isSort } from './sorts.ts'
import { useAddToLive } from './use-add-to-live.tsx'
import { useMetadataUpdate } from './use-metadata-update.ts'

export interface LibraryHandle {
  showAdded: (result: AddVideosResult) => void
}

/** The library list with search, selection, bulk actions and dialogs. */
export function LibraryPanel({ handle }: { handle: RefObject<LibraryHandle | null> }) {
  const { tools, query, isFiltered, filter, apply } = useLibraryQuery()
  const selection = useSelection()
  const { selected, clear } = selection
  const [open, setOpen] = useState<OpenDialog>(null)

  const update = useMetadataUpdate()
  const library = useLibrary(query, {
    onRemoved: selection.deselect,
    onLookup: update.observe,
  })
  const bulk = useBulkActions(selected, () => {
    clear()
    void library.reload()
  })
  const live = useAddToLive(selected, clear)

  useImperativeHandle(handle, () => ({ showAdded: library.showAdded }))
  useAdminSave(async () => {
    await library.reloadOrThrow()
    toast({ title: 'Video Library Saved', tone: 'success' })
  })

  const { videos, total, isTotalCapped } = library
  useFailureToast(library.error, { title: 'Error loading videos', text: 'Please try again.' })

  return (
    <section aria-labelledby="library" className="flex min-w-0 flex-col gap-4">
      <Header total={total} isTotalCapped={isTotalCapped} onOpen={setOpen} />
      <LibraryTools {...tools} onSavedFilters={() => setOpen('filters')} />
      <BulkBar
        selectedCount={selected.size}
        isEmpty={!videos?.length}
        isSelecting={selection.isSelecting}
        isBusy={bulk.isBusy || live.isBusy}
        isUpdating={update.isRequesting}
        onSelectAll={() => void selection.selectAll(library.fetchAllIds)}
        onClear={clear}
        onAddToLive={() => void live.preview()}
        onAddToChannel={() => setOpen('add-to-channel')}
        onMove={(category) => void bulk.moveTo(category)}
        onEdit={() => setOpen('edit-many')}
        onDelete={() => setOpen('delete')}
        onUpdateMetadata={() => void update.start()}
      />
      <MetadataUpdateProgress progress={update.progress} />
      <LibraryBody
        library={library}
        isFiltered={isFiltered}
        selected={selected}
        onPress={(id, isRange) => selection.select(videos, id, isRange)}
        onUpdateMetadata={(id) => void update.start([id])}
        onEdit={(id) => setOpen({ edited: id })}
      />
      {live.dialog}
      <LibraryDialogs
        open={open}
        library={library}
        videos={videos ?? []}
        selected={selected}
        bulk={bulk}
        filter={filter}
        onApplyFilter={apply}
        onDone={clear}
        onClose={() => setOpen(null)}
      />
    </section>
  )
}

function Header(props: {
  total: number | undefined
  isTotalCapped: boolean
  onOpen: (dialog: OpenDialog) => void
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 id="library" className="text-xl font-semibold">
        Video Library ({props.total ?? '…'}
        {props.isTotalCapped && '+'})
      </h2>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => props.onOpen('deleted')}>Recently deleted</Button>
        <Button onClick={() => props.onOpen('csv')}>{useCsvTitle()}</Button>
      </div>
    </div>
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
function LibraryBody(props: {
  library: Library
  /** A search text or a filter is active. */
  isFiltered: boolean
  selected: Selection
  onPress: (id: string, isRange: boolean) => void
  onEdit: (id: string) => void
  onUpdateMetadata: (id: string) => void
}) {
  const { library, isFiltered, ...list } = props
  const { videos, error, hasMore } = library
  if (videos === undefined) {
    if (error === undefined) return <LibrarySkeleton />
    return <ErrorNotice text="Error loading videos" onRetry={() => void library.reload()} />
  }
  if (videos.length > 0 || hasMore) return <LibraryList videos={videos} library={library} {...list} />
  return isFiltered ? (
    <EmptyNotice title="No videos found">Try another search or category.</EmptyNotice>
  ) : (
    <EmptyNotice title="No videos yet">Add the first ones by URL.</EmptyNotice>
  )
}

/** The selected videos of the library, which may include videos that are not loaded. */
function useSelection() {
  const [selected, setSelected] = useState<Selection>(new Set())
  const [isSelecting, setSelecting] = useState(false)
  const lastClicked = useRef<string | null>(null)
  useLossGuard(selected.size > 0)

  return {
    selected,
    isSelecting,
    clear: () => setSelected(new Set()),
    deselect: (videoIds: readonly string[]) => setSelected((known) => withoutRows(known, videoIds)),
    /** Handles a click on a row. With `isRange`, all rows since the previously clicked one are affected. */
    select: (videos: readonly Video[] | undefined, id: string, isRange: boolean) => {
      const rows = videos?.map((video) => video.id) ?? []
      const from = isRange ? lastClicked.current : null
      setSelected((known) => afterClick(known, rows, id, from))
      lastClicked.current = id
    },
    selectAll: async (fetchAllIds: () => Promise<string[]>) => {
      setSelecting(true)
      try {
        setSelected(new Set(await fetchAllIds()))
      } catch (failure) {
        showFailure(failure, { title: 'Error loading videos', text: 'Please try again.' })
      } finally {
        setSelecting(false)
      }
    },
  }
}

const SEARCH_DEBOUNCE_MS = 250

/** The values of the search and filter controls, and the query they make. Sort and filters are stored in this browser. */
function useLibraryQuery() {
  const [settings, setSettings] = useSectionSettings('video-library', {
    sort: 'newest',
    filter: 'all',
    tag: '',
  })
  const sort = isSort(settings.sort) ? settings.sort : 'newest'
  const filter = isFilter(settings.filter) ? settings.filter : 'all'
  const category = filter === 'all' ? undefined : filter
  const tag = settings.tag === '' ? undefined : settings.tag
  const [text, setText] = useState('')
  const searched = useDebounced(text.trim(), SEARCH_DEBOUNCE_MS)
  return {
    query: { text: searched, sort, category, tag },
    isFiltered: searched !== '' || category !== undefined || tag !== undefined,
    /** The current controls as a filter to be saved. */
    filter: { text: text.trim(), sort, category: category ?? null, tag: tag ?? null } satisfies VideoFilter,
    apply: (saved: VideoFilter) => {
      setText(saved.text)
      setSettings({ sort: saved.sort, filter: saved.category ?? 'all', tag: saved.tag ?? '' })
    },
    tools: {
      text,
      onText: setText,
      sort,
      onSort: (value: typeof sort) => setSettings({ sort: value }),
      filter,
      onFilter: (value: typeof filter) => setSettings({ filter: value }),
      tag: settings.tag,
      onTag: (value: string) => setSettings({ tag: value }),
    },
  }
}
