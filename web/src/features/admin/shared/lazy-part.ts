import { type ComponentType, lazy } from 'react'

const loads = new Set<() => Promise<unknown>>()

/** Registers the code of a linked page for {@link preloadParts}. */
export const preloadLater = (load: () => Promise<unknown>): void => void loads.add(load)

/** A component whose code is fetched when it is first rendered, or earlier by {@link preloadParts}. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  loads.add(load)
  return lazy(async () => ({ default: await load() }))
}

/**
 * Fetches the code of all registered parts one after the other, so that they open without a network. Parts that are
 * registered by fetched code are fetched as well.
 */
export async function preloadParts(): Promise<void> {
  for (const load of loads) await load().catch(() => undefined)
}
