import { toast } from '../../../ui/toast.ts'
import { drafts } from './account-drafts.ts'

/** Discards a draft at once, and offers to bring it back. */
export function discardDraft(key: string): void {
  const draft = drafts.find(key)
  if (draft === undefined) return
  drafts.drop(key)
  toast({
    title: 'Changes discarded',
    description: draft.label,
    action: { label: 'Undo', onPress: () => drafts.put(draft) },
  })
}
