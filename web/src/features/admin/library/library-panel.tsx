import type { AddVideosResult, Video } from '@looptide/contracts/http/videos'
import { lazy, type RefObject, Suspense, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useDebounced } from '../../../lib/use-debounced.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAdminSave } from '../desk/admin-save.ts'
import { useSectionSettings } from '../desk/section-settings.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { useLibrary } from './api.ts'
import { BulkBar } from './bulk-bar.tsx'
import { LibraryList, LibrarySkeleton } from './library-list.tsx'
import { isFilter, isSort, LibraryTools } from './library-tools.tsx'
import { afterPress, type Selection, withoutRow } from './selection.ts'
import { useBulkActions } from './use-bulk-actions.ts'
import { useMetadataUpdate } from './use-metadata-update.ts'

const CsvDialog = lazy(async () => ({ default: (await import('./csv/csv-dialog.tsx')).CsvDialog }))

/** More than this many at once is a guarded action (decisions, "Guarded actions"). */
const UNGUARDED_DELETES = 20
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

  const [selected, setSelected] = useState<Selection>(new Set())
  const [isSelecting, setSelecting] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const [isCsvOpen, setCsvOpen] = useState(false)
  const lastPressed = useRef<string | null>(null)

  const update = useMetadataUpdate()
  const library = useLibrary(
    { text: wanted, sort, category: filter === 'all' ? undefined : filter },
    {
      onRemoved: (videoId) => setSelected((known) => withoutRow(known, videoId)),
      onSettled: (_youtubeId, state) => update.settle(state),
    },
  )
  const clear = () => setSelected(new Set())
  const bulk = useBulkActions(selected, () => {
    clear()
    void library.reload()
  })

  useImperativeHandle(handle, () => ({ take: library.take }))
  useAdminSave(async () => {
    await library.reload()
    toast({ title: 'Video Library Saved', tone: 'success' })
  })

  const press = (id: string, isRange: boolean) => {
    const rows = library.videos?.map((video) => video.id) ?? []
    const from = isRange ? lastPressed.current : null
    setSelected((known) => afterPress(known, rows, id, from))
    lastPressed.current = id
  }
  const selectAll = async () => {
    setSelecting(true)
    try {
      setSelected(new Set(await library.everyId()))
    } catch (failure) {
      tellFailure(failure, { title: 'Error loading videos', text: 'Please try again.' })
    } finally {
      setSelecting(false)
    }
  }

  const { videos, total, isTotalCapped, error } = library
  const hasFailed = error !== undefined
  useEffect(() => {
    if (!hasFailed) return
    toast({ title: 'Error loading videos', description: 'Please try again.', tone: 'error' })
  }, [hasFailed])

  return (
    <section aria-labelledby="library" className="grid min-w-0 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="library" className="text-xl font-semibold">
          Video Library ({total ?? '…'}
          {isTotalCapped && '+'})
        </h2>
        <Button onClick={() => setCsvOpen(true)}>Import / Export CSV</Button>
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
        isSelecting={isSelecting}
        isBusy={bulk.isBusy}
        isUpdating={update.isAsking}
        onSelectAll={() => void selectAll()}
        onClear={clear}
        onAddToLive={() => void bulk.addToLive()}
        onMove={(category) => void bulk.moveTo(category)}
        onDelete={() => setDeleting(true)}
        onUpdateMetadata={() => void update.start()}
      />
      {update.round && Number.isFinite(update.round.wanted) && (
        <p role="status" className="text-sm text-muted tabular-nums">
          Updating metadata: {update.round.found + update.round.failed} of {update.round.wanted}
        </p>
      )}
      {videos === undefined ? (
        error ? (
          <ErrorNotice text="Error loading videos" onRetry={() => void library.reload()} />
        ) : (
          <LibrarySkeleton />
        )
      ) : videos.length === 0 && !library.hasMore ? (
        <NoVideos isPart={wanted !== '' || filter !== 'all'} />
      ) : (
        <LibraryList
          videos={videos}
          library={library}
          selected={selected}
          onPress={press}
          onAskAgain={(id) => void update.start([id])}
        />
      )}
      {isCsvOpen && (
        <Suspense>
          <CsvDialog onClose={() => setCsvOpen(false)} onImported={() => void library.reload()} />
        </Suspense>
      )}
      {isDeleting && (
        <DeleteDialog
          selected={selected}
          videos={videos ?? []}
          isBusy={bulk.isBusy}
          onCancel={() => setDeleting(false)}
          onConfirm={() => void bulk.delete().then(() => setDeleting(false))}
        />
      )}
    </section>
  )
}

function NoVideos({ isPart }: { isPart: boolean }) {
  return isPart ? (
    <EmptyNotice title="No videos found">Try another text or another category.</EmptyNotice>
  ) : (
    <EmptyNotice title="No videos yet">Add the first ones by their addresses.</EmptyNotice>
  )
}

const NAMED = 5

function DeleteDialog(props: {
  selected: Selection
  videos: readonly Video[]
  isBusy: boolean
  onConfirm: () => void
  onCancel: () => void
}) {
  const count = props.selected.size
  const named = props.videos.filter(({ id }) => props.selected.has(id)).slice(0, NAMED)
  const what = count === 1 ? 'this video' : `${count} videos`
  return (
    <ConfirmDialog
      title={`Delete ${what}?`}
      confirmLabel={count === 1 ? 'Delete video' : `Delete ${count} videos`}
      isBusy={props.isBusy}
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <ul className="grid gap-1 text-text">
        {named.map(({ id, title }) => (
          <li key={id} className="truncate">
            {title}
          </li>
        ))}
        {count > named.length && <li className="text-muted">and {count - named.length} more</li>}
      </ul>
      <p>They leave the library, every playlist and the programme. What is on the air plays to its end.</p>
      {count > UNGUARDED_DELETES && (
        <p>More than {UNGUARDED_DELETES} at once is a guarded action: ten of these in an hour.</p>
      )}
    </ConfirmDialog>
  )
}
