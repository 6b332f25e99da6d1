import { type ComponentType, lazy } from 'react'

const loads = new Set<() => Promise<unknown>>()

/** Has {@link preloadParts} fetch the code of a page that the admin pages link to. */
export const preloadLater = (load: () => Promise<unknown>): void => void loads.add(load)

/** A component of the admin pages whose code is fetched when it is first shown, or by {@link preloadParts}. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  loads.add(load)
  return lazy(async () => ({ default: await load() }))
}

/**
 * Fetches the code of all parts that are known, one after the other, so that they open without a network. A part that
 * is fetched may make further parts known: those are fetched as well.
 */
export async function preloadParts(): Promise<void> {
  for (const load of loads) await load().catch(() => undefined)
}
