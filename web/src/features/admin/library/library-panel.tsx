import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { type RefObject, useEffect, useImperativeHandle, useState } from 'react'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAdminSave } from '../desk/admin-save.ts'
import { useSectionSettings } from '../desk/section-settings.ts'
import { type Library, useLibrary } from './api.ts'
import { BulkBar } from './bulk-bar.tsx'
import { LibraryDialogs, type OpenDialog } from './library-dialogs.tsx'
import { LibraryList, LibrarySkeleton } from './library-list.tsx'
import { isFilter, isSort, LibraryTools } from './library-tools.tsx'
import type { Selection } from './selection.ts'
import { useAddToLive } from './use-add-to-live.tsx'
import { useBulkActions } from './use-bulk-actions.ts'
import { useMetadataUpdate } from './use-metadata-update.ts'
import { useSelection } from './use-selection.ts'

const SEARCH_PAUSE_MS = 250

export type LibraryHandle = { take: (result: AddVideosResult) => void }

/** Video Library (count): the list, what is chosen in it, and what can be done with that. */
export function LibraryPanel({ handle }: { handle: RefObject<LibraryHandle | null> }) {
  const [settings, setSettings] = useSectionSettings<{ sort: string; filter: string }>('video-library', {
    sort: 'newest',
    filter: 'all',
  })
  const sort = isSort(settings.sort) ? settings.sort : 'newest'
  const filter = isFilter(settings.filter) ? settings.filter : 'all'
  const [text, setText] = useState('')
  const wanted = useDebounced(text.trim(), SEARCH_PAUSE_MS)

  const selection = useSelection()
  const { selected, clear } = selection
  const [open, setOpen] = useState<OpenDialog>(null)

  const update = useMetadataUpdate()
  const library = useLibrary(
    { text: wanted, sort, category: filter === 'all' ? undefined : filter },
    {
      onRemoved: selection.drop,
      onSettled: (_youtubeId, state) => update.settle(state),
    },
  )
  const bulk = useBulkActions(selected, () => {
    clear()
    void library.reload()
  })
  const live = useAddToLive(selected, clear)

  useImperativeHandle(handle, () => ({ take: library.take }))
  useAdminSave(async () => {
    await library.readAgain()
    toast({ title: 'Video Library Saved', tone: 'success' })
  })

  const { videos, total, isTotalCapped, error } = library
  const hasFailed = error !== undefined
  useEffect(() => {
    if (!hasFailed) return
    toast({ title: 'Error loading videos', description: 'Please try again.', tone: 'error' })
  }, [hasFailed])

  return (
    <section aria-labelledby="library" className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="library" className="text-xl font-semibold">
          Video Library ({total ?? '…'}
          {isTotalCapped && '+'})
        </h2>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen('deleted')}>Recently deleted</Button>
          <Button onClick={() => setOpen('csv')}>Import / Export CSV</Button>
        </div>
      </div>
      <LibraryTools
        text={text}
        onText={setText}
        sort={sort}
        onSort={(value) => setSettings({ sort: value })}
        filter={filter}
        onFilter={(value) => setSettings({ filter: value })}
      />
      <BulkBar
        selectedCount={selected.size}
        isEmpty={!videos?.length}
        isSelecting={selection.isSelecting}
        isBusy={bulk.isBusy || live.isBusy}
        isUpdating={update.isAsking}
        onSelectAll={() => void selection.selectAll(library.everyId)}
        onClear={clear}
        onAddToLive={() => void live.ask()}
        onAddToChannel={() => setOpen('add-to-channel')}
        onMove={(category) => void bulk.moveTo(category)}
        onEdit={() => setOpen('edit-many')}
        onDelete={() => setOpen('delete')}
        onUpdateMetadata={() => void update.start()}
      />
      {update.round && Number.isFinite(update.round.wanted) && (
        <p role="status" className="text-sm text-muted tabular-nums">
          Updating metadata: {update.round.found + update.round.failed} of {update.round.wanted}
        </p>
      )}
      <LibraryBody
        library={library}
        isPart={wanted !== '' || filter !== 'all'}
        selected={selected}
        onPress={(id, isRange) => selection.press(videos, id, isRange)}
        onAskAgain={(id) => void update.start([id])}
        onEdit={(id) => setOpen({ edited: id })}
      />
      {live.dialog}
      <LibraryDialogs
        open={open}
        library={library}
        videos={videos ?? []}
        selected={selected}
        bulk={bulk}
        onDone={clear}
        onClose={() => setOpen(null)}
      />
    </section>
  )
}

/** The list, or what stands in its place. */
function LibraryBody(props: {
  library: Library
  /** Some videos may be left out by the search or the filter. */
  isPart: boolean
  selected: Selection
  onPress: (id: string, isRange: boolean) => void
  onEdit: (id: string) => void
  onAskAgain: (id: string) => void
}) {
  const { library, isPart, ...list } = props
  const { videos, error, hasMore } = library
  if (videos === undefined) {
    if (error === undefined) return <LibrarySkeleton />
    return <ErrorNotice text="Error loading videos" onRetry={() => void library.reload()} />
  }
  if (videos.length > 0 || hasMore) return <LibraryList videos={videos} library={library} {...list} />
  return isPart ? (
    <EmptyNotice title="No videos found">Try another text or another category.</EmptyNotice>
  ) : (
    <EmptyNotice title="No videos yet">Add the first ones by their addresses.</EmptyNotice>
  )
}
