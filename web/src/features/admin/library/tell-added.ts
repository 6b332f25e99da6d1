import type { AddVideosResult } from '@looptide/contracts/http/videos'
import { toast } from '../../../ui/toast.ts'
import { skippedText } from './verdict-words.ts'

/** What adding has come to, in the words of the admin specification §8; the result on each line says it once more. */
export function tellAdded({ added, lines }: AddVideosResult): void {
  const skipped = skippedText(lines)
  const isNothingValid = lines.every(({ result }) => result === 'skipped')
  if (added > 0) {
    toast({
      title: 'Videos added successfully',
      description: `${added} video(s) added. Their metadata is on its way.`,
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
