import { toast } from '../../../ui/toast.ts'
import { showFailure } from '../../admin/show-failure.ts'
import { videoCountText } from '../../admin/video-texts.ts'
import { restoreVideos } from './api.ts'

/** Restores deleted videos and shows the result in a toast. */
export async function restoreWithToast(ids: readonly string[]): Promise<void> {
  try {
    const { count, conflicts } = await restoreVideos(ids)
    const rest =
      conflicts > 0
        ? ` ${videoCountText(conflicts)} not restored because the library already has the same URL.`
        : ''
    toast({
      title: count > 0 ? 'Videos restored' : 'No videos restored',
      description: `${videoCountText(count)} restored.${rest}`,
      tone: count > 0 ? 'success' : 'error',
    })
  } catch (failure) {
    showFailure(failure, {
      title: 'Error restoring videos',
      text: 'They are still in Recently deleted. Please try again.',
    })
  }
}
