import type { AddCurationBody, CurationItem } from '@looptide/contracts/http/videos'
import { toast } from '../../../ui/toast.ts'
import { tellFailureAs } from '../desk/tell-failure.ts'
import { addCuration, removeCuration, updateCuration, useCuration } from './api.ts'
import { withoutItem, withPlace } from './curation-sections.ts'

const succeed = (description: string) => toast({ title: 'Success', description, tone: 'success' })

type Step = (known: CurationItem[]) => CurationItem[]

/**
 * The home page's curation with everything an admin does to it. A change shows at once and is told in the words of
 * docs/product/admin.md §8; when the server refuses it, the list is read anew.
 */
export function useCurationDesk() {
  const answer = useCuration()
  const { mutate } = answer
  /** `show` is what the change looks like; what failed is shown as it was, also when nobody can tell how it is. */
  const attempt = async (work: () => Promise<unknown>, failure: string, show?: Step): Promise<boolean> => {
    const before = answer.data
    if (show) void mutate((known) => known && show(known), { revalidate: false })
    try {
      await work()
      return true
    } catch (reason) {
      if (show) void mutate(before, { revalidate: false })
      tellFailureAs(reason, { title: 'Error', description: failure })
      return false
    } finally {
      void mutate()
    }
  }

  /** Answers whether it is on the home page now. */
  const add = async (wish: AddCurationBody): Promise<boolean> => {
    const isAdded = await attempt(() => addCuration(wish), 'Failed to add video to home screen')
    if (isAdded) succeed('Video added to home screen')
    return isAdded
  }

  const toggle = async (item: CurationItem) => {
    const isActive = !item.isActive
    const show: Step = (known) => known.map((each) => (each.id === item.id ? { ...each, isActive } : each))
    if (await attempt(() => updateCuration(item.id, { isActive }), 'Failed to update video status', show)) {
      succeed(isActive ? 'Video is shown on the home screen' : 'Video is no longer shown on the home screen')
    }
  }

  /** To a place in its section, from 1. */
  const move = async (item: CurationItem, position: number) => {
    const show: Step = (known) => withPlace(known, item.id, position)
    if (await attempt(() => updateCuration(item.id, { position }), 'Failed to update position', show)) {
      succeed('Position updated')
    }
  }

  /** `position` is its place in its section, where Undo puts it back. */
  const remove = async (item: CurationItem, position: number) => {
    const show: Step = (known) => withoutItem(known, item.id)
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

  return { ...answer, add, toggle, move, remove }
}

export type CurationDesk = ReturnType<typeof useCurationDesk>
