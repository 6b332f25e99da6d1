import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { toast } from '../../../ui/toast.ts'

/** What adding has come to, in the words of the admin specification §8. */
export function tellAdded(result: AddVideosResult): void {
  const duplicates = result.lines.filter(({ verdict }) => verdict === 'duplicate').length
  if (result.added > 0) {
    toast({
      title: 'Videos added successfully',
      description: `${result.added} video(s) added. Their metadata is on its way.`,
      tone: 'success',
    })
  } else if (duplicates === 0) {
    toast({
      title: 'No valid videos to add',
      description: 'Please provide valid YouTube video URLs',
      tone: 'error',
    })
    return
  }
  if (result.skipped > 0 || duplicates > 0) {
    toast({
      title: 'Some URLs were skipped',
      description: `${result.lines.length - result.added} of ${result.lines.length}: see the verdict on each line.`,
    })
  }
}
