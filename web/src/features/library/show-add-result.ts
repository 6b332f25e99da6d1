import type { AddVideosResult, Video } from '@looptide/contracts/http/videos'
import { toast } from '../../ui/toast.ts'
import { videoCountText } from '../admin/video-texts.ts'
import { skippedText } from './line-result-labels.ts'

/** Shows the result of adding videos as toasts (docs/product/admin.md §8). */
export function showAddResult({ added, lines }: AddVideosResult): void {
  const skipped = skippedText(lines)
  const isNothingValid = lines.every(({ result }) => result === 'skipped')
  if (added > 0) {
    toast({
      title: 'Videos added successfully',
      description: addedText(
        lines.flatMap(({ result, video }) => (result === 'added' && video ? [video] : [])),
      ),
      tone: 'success',
    })
  }
  if (isNothingValid) {
    toast({
      title: 'No valid videos to add',
      description: 'Please provide valid YouTube video URLs',
      tone: 'error',
    })
  }
  if (skipped) toast({ title: 'Some URLs were skipped', description: skipped, durationMs: 8_000 })
}

/** What was added, and whether YouTube's metadata follows: other URLs have none. */
export function addedText(videos: readonly Pick<Video, 'youtubeId'>[]): string {
  const hasMetadata = videos.some(({ youtubeId }) => youtubeId !== null)
  return `${videoCountText(videos.length)} added.${hasMetadata ? ' Metadata will follow.' : ''}`
}
