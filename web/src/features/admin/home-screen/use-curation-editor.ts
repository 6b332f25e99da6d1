import type { AddCurationBody, CurationItem } from '@looptide/contracts/http/videos'
import { toast } from '../../../ui/toast.ts'
import { showFailureText } from '../shared/show-failure.ts'
import { addCuration, removeCuration, updateCuration, useCuration } from './api.ts'
import { withoutItem, withPlace } from './curation-sections.ts'

const showSuccess = (description: string) => toast({ title: 'Success', description, tone: 'success' })

type Change = (known: CurationItem[]) => CurationItem[]

/**
 * The home page's curation and the changes an admin can make. A change is shown immediately and confirmed with a toast
 * (docs/product/admin.md §8); if it fails, it is reverted and the list is reloaded.
 */
export function useCurationEditor() {
  const response = useCuration()
  const attempt = useAttempt(response)

  /** Resolves to whether the video was added. */
  const add = async (body: AddCurationBody): Promise<boolean> => {
    const isAdded = await attempt(() => addCuration(body), 'Failed to add video to home screen')
    if (isAdded) showSuccess('Video added to home screen')
    return isAdded
  }

  const toggle = async (item: CurationItem) => {
    const isActive = !item.isActive
    const show: Change = (known) => known.map((each) => (each.id === item.id ? { ...each, isActive } : each))
    if (await attempt(() => updateCuration(item.id, { isActive }), 'Failed to update video status', show)) {
      showSuccess(isActive ? 'Video shown on home screen' : 'Video hidden from home screen')
    }
  }

  /** Moves an item to a position in its section, from 1. */
  const move = async (item: CurationItem, position: number) => {
    const show: Change = (known) => withPlace(known, item.id, position)
    if (await attempt(() => updateCuration(item.id, { position }), 'Failed to update position', show)) {
      showSuccess('Position updated')
    }
  }

  /** Removes an item. `position` is its place in its section, where Undo restores it. */
  const remove = async (item: CurationItem, position: number) => {
    const show: Change = (known) => withoutItem(known, item.id)
    const failure = 'Failed to remove video from home screen'
    if (!(await attempt(() => removeCuration(item.id), failure, show))) return
    const { videoId, sectionType, sectionName, isActive } = item
    toast({
      title: 'Success',
      description: 'Video removed from home screen',
      tone: 'success',
      durationMs: 8_000,
      action: {
        label: 'Undo',
        onPress: () => void add({ videoId, sectionType, sectionName, position, isActive }),
      },
    })
  }

  return { ...response, add, toggle, move, remove }
}

export type CurationEditor = ReturnType<typeof useCurationEditor>

/** Returns a function that runs a change; `show` applies it to the shown list in the meantime. */
function useAttempt({ data: before, mutate }: ReturnType<typeof useCuration>) {
  /** Resolves to whether the change succeeded. */
  return async (work: () => Promise<unknown>, failure: string, show?: Change): Promise<boolean> => {
    if (show) void mutate((known) => known && show(known), { revalidate: false })
    try {
      await work()
      return true
    } catch (reason) {
      if (show) void mutate(before, { revalidate: false })
      showFailureText(reason, { title: 'Error', description: failure })
      return false
    } finally {
      void mutate()
    }
  }
}
