import type { AddCurationBody, CurationItem } from '@looptide/contracts/http/videos'
import { toast } from '../../../ui/toast.ts'
import { tellFailureAs } from '../desk/tell-failure.ts'
import { addCuration, removeCuration, updateCuration, useCuration } from './api.ts'
import { withoutItem, withPlace } from './curation-sections.ts'

const succeed = (description: string) => toast({ title: 'Success', description, tone: 'success' })

/**
 * The home page's curation with everything an admin does to it. A change shows at once and is told in the words of
 * the admin specification, §8; when the server refuses it, the list is read anew.
 */
export function useCurationDesk() {
  const answer = useCuration()
  const { mutate } = answer
  const show = (step: (known: CurationItem[]) => CurationItem[]) =>
    void mutate((known) => known && step(known), { revalidate: false })

  const attempt = async (work: () => Promise<unknown>, failure: string): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (reason) {
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
    show((known) => known.map((each) => (each.id === item.id ? { ...each, isActive } : each)))
    if (await attempt(() => updateCuration(item.id, { isActive }), 'Failed to update video status')) {
      succeed(isActive ? 'Video is shown on the home screen' : 'Video is no longer shown on the home screen')
    }
  }

  /** To a place in its section, from 1. */
  const move = async (item: CurationItem, position: number) => {
    show((known) => withPlace(known, item.id, position))
    if (await attempt(() => updateCuration(item.id, { position }), 'Failed to update position')) {
      succeed('Position updated')
    }
  }

  /** `position` is its place in its section, where Undo puts it back. */
  const remove = async (item: CurationItem, position: number) => {
    show((known) => withoutItem(known, item.id))
    if (!(await attempt(() => removeCuration(item.id), 'Failed to remove video from home screen'))) return
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
