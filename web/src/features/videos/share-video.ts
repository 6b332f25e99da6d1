import type { Video } from '@looptide/contracts/http/videos'
import { paths } from '../../lib/paths.ts'
import { toast } from '../../ui/toast.ts'

/** Shares the video's URL with the device's share sheet if there is one, else copies it to the clipboard. */
export async function shareVideo({ id, title, artistName }: Video): Promise<void> {
  const url = new URL(paths.video(id), window.location.origin).href
  const sheet = { title: `${title} – ${artistName}`, url }
  try {
    if (isTouchDevice() && navigator.canShare?.(sheet)) await navigator.share(sheet)
    else {
      await navigator.clipboard.writeText(url)
      toast({ title: 'Link copied', description: url })
    }
  } catch (failure) {
    // Closing the sheet is not a failure.
    if (failure instanceof DOMException && failure.name === 'AbortError') return
    toast({ title: 'Link to this video', description: url, durationMs: 15_000 })
  }
}

const isTouchDevice = (): boolean => window.matchMedia('(pointer: coarse)').matches
