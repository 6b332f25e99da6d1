import type { AddCurationBody, CurationItem } from '@looptide/contracts/http/videos'
import pLimit from 'p-limit'
import { useLayoutEffect, useRef, useState } from 'react'
import { isVersionConflict } from '../../../lib/api/api-error.ts'
import { api } from '../../../lib/clients.ts'
import { showFailureText } from '../../../lib/failures.ts'
import { toast } from '../../../ui/toast.ts'
import { differenceOf, type ListDifference } from '../../admin/list-difference.ts'
import { useCuration } from './api.ts'
import { withoutItem, withPlace } from './curation-sections.ts'

const showSuccess = (description: string) => toast({ title: 'Success', description, tone: 'success' })

const showRemoved = (undo: () => void) =>
  toast({
    title: 'Success',
    description: 'Video removed from home screen',
    tone: 'success',
    durationMs: 8_000,
    action: { label: 'Undo', onPress: undo },
  })

/** A move that was refused because another admin has changed the order, and what they have changed. */
export interface CurationConflict {
  item: CurationItem
  position: number
  theirs: ListDifference<CurationItem>
}

/**
 * The home page's curation and the changes an admin can make. A change is shown immediately and confirmed with a toast
 * (docs/product/admin.md §8); if it fails, it is reverted and the list is reloaded. A move that is based on an outdated
 * order becomes a `conflict`.
 */
export function useCurationEditor() {
  const response = useCuration()
  const { attempt, latest } = useAttempt(response)
  const [conflict, setConflict] = useState<CurationConflict>()

  /** Resolves to whether the video was added. */
  const add = async (body: AddCurationBody): Promise<boolean> => {
    const send = () => api.call('POST /api/curation', { body })
    const isAdded = await attempt(send, 'Failed to add video to home screen')
    if (isAdded) showSuccess('Video added to home screen')
    return isAdded
  }

  const toggle = async (item: CurationItem) => {
    const isActive = !item.isActive
    const show: Show = (known) => known.map((each) => (each.id === item.id ? { ...each, isActive } : each))
    const send = () => api.call('PATCH /api/curation/:id', { params: { id: item.id }, body: { isActive } })
    if (await attempt(send, 'Failed to update video status', show)) {
      showSuccess(isActive ? 'Video shown on home screen' : 'Video hidden from home screen')
    }
  }

  /** Moves an item to a position in its section, from 1. */
  const move = async (item: CurationItem, position: number) => {
    setConflict(undefined)
    const seen = latest().items
    const input = { params: { id: item.id }, body: { position } }
    const send = () => api.call('PATCH /api/curation/:id', input, { ifMatch: latest().etag })
    const show: Show = (known) => withPlace(known, item.id, position)
    const isMoved = await attempt(send, 'Failed to update position', show, (now) =>
      setConflict({ item, position, theirs: differenceOf(seen, now) }),
    )
    if (isMoved) showSuccess('Position updated')
  }

  /** Removes an item. `position` is its place in its section, where Undo restores it. */
  const remove = async (item: CurationItem, position: number) => {
    const show: Show = (known) => withoutItem(known, item.id)
    const failure = 'Failed to remove video from home screen'
    const send = () => api.call('DELETE /api/curation/:id', { params: { id: item.id } })
    if (!(await attempt(send, failure, show))) return
    const { videoId, sectionType, sectionName, isActive } = item
    showRemoved(() => void add({ videoId, sectionType, sectionName, position, isActive }))
  }

  const { data, error, mutate } = response
  return {
    items: data?.items,
    error: error as unknown,
    mutate,
    add,
    toggle,
    move,
    remove,
    conflict,
    dismissConflict: () => setConflict(undefined),
  }
}

export type CurationEditor = ReturnType<typeof useCurationEditor>

type Show = (known: CurationItem[]) => CurationItem[]

const NOTHING = { items: [], etag: '' }

/**
 * `attempt` runs a change; `latest` returns the list with the version on which the next one is based. Changes run one
 * after the other, and the list is reloaded in between: otherwise a change would be based on a version from before the
 * user's own last one.
 */
function useAttempt({ data, mutate }: ReturnType<typeof useCuration>) {
  const [oneAtATime] = useState(() => pLimit(1))
  const known = useRef(data)
  useLayoutEffect(() => {
    known.current = data
  }, [data])
  const reload = async (): Promise<CurationItem[]> => {
    known.current = (await mutate()) ?? known.current
    return known.current?.items ?? []
  }

  /**
   * Resolves to whether the change succeeded. `show` applies it to the shown list in the meantime; `onOutdated` receives
   * the current list if the change was refused with `precondition_failed`.
   */
  const attempt = async (
    work: () => Promise<unknown>,
    failure: string,
    show?: Show,
    onOutdated?: (now: CurationItem[]) => void,
  ): Promise<boolean> => {
    const before = known.current
    if (show) void mutate((list) => list && { ...list, items: show(list.items) }, { revalidate: false })
    const sent = oneAtATime(() =>
      work().catch(async (reason: unknown) => {
        if (show) await mutate(before, { revalidate: false })
        throw reason
      }),
    )
    const reloaded = oneAtATime(reload)
    try {
      await sent
      return true
    } catch (reason) {
      if (isVersionConflict(reason) && onOutdated) onOutdated(await reloaded)
      else showFailureText(reason, { title: 'Error', text: failure })
      return false
    }
  }
  return { attempt, latest: () => known.current ?? NOTHING }
}
