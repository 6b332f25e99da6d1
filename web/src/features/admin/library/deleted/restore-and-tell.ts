import { toast } from '../../../../ui/toast.ts'
import { countedVideos } from '../../desk/counted-videos.ts'
import { tellFailure } from '../../desk/tell-failure.ts'
import { restoreVideos } from './api.ts'

/** Restores deleted videos and shows the result as a toast. */
export async function restoreAndTell(ids: readonly string[]): Promise<void> {
  try {
    const { count, conflicts } = await restoreVideos(ids)
    const left =
      conflicts > 0
        ? ` ${countedVideos(conflicts)} not restored: the library has the same address again.`
        : ''
    toast({
      title: count > 0 ? 'Videos restored' : 'No video restored',
      description: `${countedVideos(count)} restored.${left}`,
      tone: count > 0 ? 'success' : 'error',
    })
  } catch (failure) {
    tellFailure(failure, {
      title: 'Error restoring videos',
      text: 'They are still in Recently deleted. Please try again.',
    })
  }
}
