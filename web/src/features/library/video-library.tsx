import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../admin/lazy-part.ts'
import { AddVideosForm } from './add-videos-form.tsx'
import { useFollowedLists } from './followed/api.ts'
import { type LibraryHandle, LibraryPanel } from './library-panel.tsx'

/** The "Video Library" section: the Add New Videos form and the library list. */
export function VideoLibrary() {
  const library = useRef<LibraryHandle>(null)
  return (
    <div className="grid grow gap-8 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]">
      <section
        aria-labelledby="add-videos"
        className="grid gap-5 self-start rounded-lg border border-line/70 bg-panel p-5"
      >
        <h2 id="add-videos" className="text-xl font-semibold">
          Add New Videos
        </h2>
        <AddVideosForm onAdded={(result) => library.current?.showAdded(result)} />
        <FollowedSummary />
      </section>
      <LibraryPanel handle={library} />
    </div>
  )
}

const FollowedListsDialog = lazyDialog(
  async () => (await import('./followed/followed-lists-dialog.tsx')).FollowedListsDialog,
)

/** A button that opens the followed lists, with the number of their problems. */
function FollowedSummary() {
  const [isOpen, setOpen] = useState(false)
  const lists = useFollowedLists().data?.items ?? []
  const problems = lists.filter(({ problem, isPaused }) => problem !== null && !isPaused).length
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line/70 pt-5">
      <p className="min-w-0 flex-1 basis-40 text-sm text-muted">
        {lists.length === 0
          ? 'Add new videos from YouTube playlists and channels automatically.'
          : `${lists.length} YouTube ${lists.length === 1 ? 'list is' : 'lists are'} followed.`}
        {problems > 0 && (
          <span className="block font-medium text-text">
            <span aria-hidden="true">⚠ </span>
            {problems === 1 ? '1 list has a problem.' : `${problems} lists have problems.`}
          </span>
        )}
      </p>
      <Button icon="sync" onClick={() => setOpen(true)}>
        Followed lists
      </Button>
      {isOpen && <FollowedListsDialog onClose={() => setOpen(false)} />}
    </div>
  )
}
