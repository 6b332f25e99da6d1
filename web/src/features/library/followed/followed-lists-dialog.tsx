import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyNotice, ErrorNotice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { useFollowedLists } from './api.ts'
import { FollowDialog } from './follow-dialog.tsx'
import { FollowedRow } from './followed-row.tsx'

/** The YouTube playlists and channels that the station follows. */
export function FollowedListsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, mutate } = useFollowedLists()
  const lists = data?.items
  const [isFollowing, setFollowing] = useState(false)
  const button = (
    <Button tone="primary" icon="plus" onClick={() => setFollowing(true)}>
      Follow a list
    </Button>
  )
  return (
    <Dialog
      title="Followed lists"
      description="New videos from these YouTube playlists and channels are added automatically."
      isOpen
      onClose={onClose}
    >
      {!lists && !error && <Skeleton className="h-32" />}
      {!lists && error !== undefined && (
        <ErrorNotice text="Failed to load the followed lists." onRetry={() => void mutate()} />
      )}
      {lists?.length === 0 && (
        <EmptyNotice title="No followed lists yet">
          <p>
            New videos from a followed playlist or channel go to Submissions or directly to the library.
            Videos that you remove are not added again.
          </p>
          {button}
        </EmptyNotice>
      )}
      {lists && lists.length > 0 && (
        <>
          {button}
          <ul aria-label="Followed lists" className="mt-2 divide-y divide-line/60">
            {lists.map((list) => (
              <FollowedRow key={list.id} list={list} />
            ))}
          </ul>
        </>
      )}
      {isFollowing && (
        <FollowDialog
          onClose={() => setFollowing(false)}
          onFollowed={({ url }) =>
            toast({ title: 'List followed', description: `Checking ${url} now.`, tone: 'success' })
          }
        />
      )}
    </Dialog>
  )
}
