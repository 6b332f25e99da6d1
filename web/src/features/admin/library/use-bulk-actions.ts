import type { VideoCategory } from '@looptide/contracts/common'
import { useState } from 'react'
import { toast } from '../../../ui/toast.ts'
import { countedVideos } from '../desk/counted-videos.ts'
import { tellFailure } from '../desk/tell-failure.ts'
import { deleteVideos, moveVideos } from './api.ts'
import { restoreAndTell } from './deleted/restore-and-tell.ts'

/** Time in which the toast offers Undo (ms). Recently deleted offers it for 30 days. */
const UNDO_MS = 30_000

/**
 * What is done with chosen videos, one thing at a time. Each tells what it did (docs/product/admin.md §8) and lets go of
 * the selection; when it fails, the selection stays for another try. Without a selection they do nothing.
 */
export function useBulkActions(selected: ReadonlySet<string>, onDone: () => void) {
  const [isBusy, setBusy] = useState(false)

  const run = async (work: (ids: string[]) => Promise<void>, failure: { title: string; text: string }) => {
    if (selected.size === 0 || isBusy) return
    setBusy(true)
    try {
      await work([...selected])
      onDone()
    } catch (error) {
      tellFailure(error, failure)
    } finally {
      setBusy(false)
    }
  }

  return {
    isBusy,
    moveTo: (category: VideoCategory) =>
      run(
        async (ids) => {
          await moveVideos(ids, category)
          const description = `${countedVideos(ids.length)} moved to ${category}.`
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
          const description = `${countedVideos(await deleteVideos(ids))} deleted.`
          toast({
            title: 'Videos deleted',
            description,
            tone: 'success',
            durationMs: UNDO_MS,
            action: { label: 'Undo', onPress: () => void restoreAndTell(ids).then(onDone) },
          })
        },
        { title: 'Error deleting videos', text: 'Failed to delete videos. Please try again.' },
      ),
  }
}
export type BulkActions = ReturnType<typeof useBulkActions>
