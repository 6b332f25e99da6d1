import { useEffect, useEffectEvent } from 'react'

const EVENT = 'looptide:admin-save'

type SaveEvent = CustomEvent<{ waitFor: (work: Promise<unknown>) => void }>

/**
 * Dispatches the save event to all open sections (docs/product/admin.md §2, "Save Changes"). Resolves when all sections
 * have saved; rejects when one of them failed.
 */
export async function broadcastSave(): Promise<void> {
  const work: Promise<unknown>[] = []
  const detail = { waitFor: (task: Promise<unknown>) => void work.push(task) }
  window.dispatchEvent(new CustomEvent(EVENT, { detail }))
  await Promise.all(work)
}

/** Calls `save` on Save Changes while the section is mounted. The returned promise delays {@link broadcastSave}. */
export function useAdminSave(save: () => Promise<unknown> | undefined): void {
  const onSave = useEffectEvent((event: SaveEvent) => {
    const work = save()
    if (work) event.detail.waitFor(work)
  })
  useEffect(() => {
    const listener = (event: Event) => onSave(event as SaveEvent)
    window.addEventListener(EVENT, listener)
    return () => window.removeEventListener(EVENT, listener)
  }, [])
}
