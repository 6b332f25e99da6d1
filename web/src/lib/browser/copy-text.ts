import { toast } from '../../ui/toast.ts'

/** Copies a text and says so. `what` begins the sentence. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied', description: `${what} is on the clipboard.`, tone: 'success' })
  } catch {
    toast({ title: 'Could Not Copy', description: 'Select the text and copy it yourself.', tone: 'error' })
  }
}
