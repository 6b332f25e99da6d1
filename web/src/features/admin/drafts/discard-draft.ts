import { toast } from '../../../ui/toast.ts'
import { drafts } from './account-drafts.ts'

/** Discards a draft and shows a toast with Undo. */
export function discardDraft(key: string): void {
  const draft = drafts.find(key)
  if (draft === undefined) return
  drafts.remove(key)
  toast({
    title: 'Changes discarded',
    description: draft.label,
    action: { label: 'Undo', onPress: () => drafts.put(draft) },
  })
}
