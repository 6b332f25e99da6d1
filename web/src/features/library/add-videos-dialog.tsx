import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { lazyDialog } from '../admin/lazy-part.ts'
import { AddVideosForm } from './add-videos-form.tsx'
import { CsvImport, useCsvTitle } from './csv/csv-import.tsx'
import { useFollowedLists } from './followed/api.ts'
import type { AddVideos } from './use-add-videos.ts'

/** Adds videos by URL, from a CSV file, or from lists that are followed. */
export function AddVideosDialog(props: { add: AddVideos; onClose: () => void }) {
  const [tab, setTab] = useState<'urls' | 'csv'>('urls')
  return (
    <Dialog title="Add New Videos" isOpen onClose={props.onClose}>
      <Tabs
        label="Add New Videos"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            id: 'urls',
            label: 'From URLs',
            content: (
              <div className="grid gap-5">
                <AddVideosForm add={props.add} />
                <FollowedSummary />
              </div>
            ),
          },
          { id: 'csv', label: useCsvTitle(), content: <CsvImport /> },
        ]}
      />
    </Dialog>
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
