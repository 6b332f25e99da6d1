import type { VideoCategory } from '@looptide/contracts/common'
import { toast } from '../../ui/toast.ts'
import { useAction } from '../admin/show-failure.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { deleteVideos, moveVideos } from './api.ts'
import { restoreWithToast } from './deleted/api.ts'

/** How long the toast offers Undo, in ms. Recently deleted offers it for 30 days. */
const UNDO_MS = 30_000

/**
 * Bulk actions on the selected videos, one at a time. Each shows a toast (docs/product/admin.md §8) and calls `onDone`,
 * which clears the selection; after a failure the selection is kept for a retry. Without a selection they do nothing.
 */
export function useBulkActions(selected: ReadonlySet<string>, onDone: () => void) {
  const { isBusy, run: runAction } = useAction()
  const run = async (work: (ids: string[]) => Promise<void>, failed: { title: string; text: string }) => {
    if (selected.size === 0) return
    if (await runAction(() => work([...selected]), failed)) onDone()
  }

  return {
    isBusy,
    moveTo: (category: VideoCategory) =>
      run(
        async (ids) => {
          await moveVideos(ids, category)
          const description = `${videoCountText(ids.length)} moved to ${category}.`
          toast({ title: 'Categories updated', description, tone: 'success' })
        },
        {
          title: 'Error updating categories',
          text: 'Failed to update video categories. Please try again.',
        },
      ),
    delete: () =>
      run(
        async (ids) => {
          const deleted: string[] = []
          let count = 0
          try {
            await deleteVideos(ids, (batch, batchCount) => {
              deleted.push(...batch)
              count += batchCount
            })
          } finally {
            if (count > 0) showDeleted(count, () => void restoreWithToast(deleted).then(onDone))
          }
        },
        { title: 'Error deleting videos', text: 'Failed to delete videos. Please try again.' },
      ),
  }
}

/** Also after a failure: what was deleted before it can be undone. */
function showDeleted(count: number, undo: () => void): void {
  toast({
    title: 'Videos deleted',
    description: `${videoCountText(count)} deleted.`,
    tone: 'success',
    durationMs: UNDO_MS,
    action: { label: 'Undo', onPress: undo },
  })
}

export type BulkActions = ReturnType<typeof useBulkActions>
