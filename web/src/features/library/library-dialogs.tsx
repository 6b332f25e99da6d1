import type { VideoFilter } from '@looptide/contracts/http/video-filters'
import type { VideoSelection } from '@looptide/contracts/http/video-jobs'
import type { Video } from '@looptide/contracts/http/videos'
import { lazyDialog } from '../admin/lazy-part.ts'
import type { Selection } from '../admin/selection.ts'
import type { Library } from './api.ts'
import type { BulkActions } from './bulk-bar.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import type { AddVideos } from './use-add-videos.ts'

const AddVideosDialog = lazyDialog(async () => (await import('./add-videos-dialog.tsx')).AddVideosDialog)
const EditVideoDialog = lazyDialog(async () => (await import('./edit/edit-video-dialog.tsx')).EditVideoDialog)

const BulkEditDialog = lazyDialog(async () => (await import('./edit/bulk-edit-dialog.tsx')).BulkEditDialog)

const DeletedVideosDialog = lazyDialog(
  async () => (await import('./deleted/deleted-videos-dialog.tsx')).DeletedVideosDialog,
)

const JobHistoryDialog = lazyDialog(
  async () => (await import('../admin/jobs/job-history-dialog.tsx')).JobHistoryDialog,
)

const AddToChannelDialog = lazyDialog(
  async () => (await import('./add-to-channel-dialog.tsx')).AddToChannelDialog,
)

const SavedFiltersDialog = lazyDialog(
  async () => (await import('./saved-filters/saved-filters-dialog.tsx')).SavedFiltersDialog,
)

/** The open dialog of the library. `edited` is the id of the video to edit. */
export type OpenDialog =
  | 'add'
  | 'delete'
  | 'edit-many'
  | 'deleted'
  | 'changes'
  | 'add-to-channel'
  | 'filters'
  | { edited: string }
  | null

/** Renders the open dialog of the library. */
export function LibraryDialogs(props: {
  open: OpenDialog
  library: Library
  add: AddVideos
  videos: readonly Video[]
  selected: Selection
  videosOfSelection: () => VideoSelection
  bulk: BulkActions
  /** The filter that is shown. */
  filter: VideoFilter
  onApplyFilter: (filter: VideoFilter) => void
  onDone: () => void
  onClose: () => void
}) {
  const { open, library, bulk, onClose } = props
  const finish = () => {
    props.onDone()
    onClose()
  }
  if (open === null) return null
  if (open === 'delete') {
    return (
      <DeleteDialog
        selected={props.selected}
        videos={props.videos}
        isBusy={bulk.isBusy}
        onCancel={onClose}
        onConfirm={() => void bulk.delete().then(onClose)}
      />
    )
  }
  return (
    <>
      {open === 'add' ? (
        <AddVideosDialog add={props.add} onClose={onClose} />
      ) : open === 'deleted' ? (
        <DeletedVideosDialog onClose={onClose} />
      ) : open === 'changes' ? (
        <JobHistoryDialog onClose={onClose} />
      ) : open === 'add-to-channel' ? (
        <AddToChannelDialog ids={[...props.selected]} onDone={finish} onClose={onClose} />
      ) : open === 'filters' ? (
        <SavedFiltersDialog current={props.filter} onApply={props.onApplyFilter} onClose={onClose} />
      ) : open === 'edit-many' ? (
        <BulkEditDialog
          videos={props.videosOfSelection()}
          count={props.selected.size}
          onDone={finish}
          onClose={onClose}
        />
      ) : (
        <EditVideoDialog videoId={open.edited} onClose={onClose} onSaved={library.show} />
      )}
    </>
  )
}
