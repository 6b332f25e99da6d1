import { type ComponentType, useEffect } from 'react'
import { loader } from '../../lib/browser/loader.ts'
import { dialogPart, part } from '../../lib/browser/part.tsx'

const loads = new Set<() => Promise<unknown>>()

/** Registers the code of a linked page for {@link usePreload}. */
export const preloadLater = (load: () => Promise<unknown>): void => void loads.add(loader(load))

/** A component whose code is fetched when it is first rendered, or earlier by {@link usePreload}. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const loaded = part(load)
  loads.add(loaded.preload)
  return loaded
}

/** Like {@link lazyPart} for a dialog: if its code cannot be fetched, a toast says so and `onClose` is called. */
export function lazyDialog<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>) {
  const dialog = dialogPart(load)
  loads.add(dialog.preload)
  return dialog
}

/**
 * Fetches the code of all registered parts one after the other, so that they open without a network. Parts that are
 * registered by fetched code are fetched as well.
 */
async function preloadParts(): Promise<void> {
  for (const load of loads) await load().catch(() => undefined)
}

/** Delay that replaces `requestIdleCallback` in browsers without it, in ms. */
const IDLE_DELAY_MS = 1_500

/** Fetches the code of the admin pages when the browser is idle, and again when it comes back online. */
export function usePreload(): void {
  useEffect(() => {
    const start = () => void preloadParts()
    const cancel = whenIdle(start)
    window.addEventListener('online', start)
    return () => {
      cancel()
      window.removeEventListener('online', start)
    }
  }, [])
}

function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(work)
    return () => window.cancelIdleCallback(handle)
  }
  const timer = setTimeout(work, IDLE_DELAY_MS)
  return () => clearTimeout(timer)
}
