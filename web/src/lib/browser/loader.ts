import { reachStation } from './reach-station.ts'

/**
 * Wraps a dynamic import, so that one that failed is requested again by the next call and when the network returns.
 * While the browser reports that it is offline, the station is asked before anything is imported: some browsers keep a
 * failed import for the life of the page and do not request it again. Rejects if the code cannot be loaded.
 * With `isAsked` false it is imported without asking: also code that the browser has preloaded can then be used offline.
 */
export function loader<T>(load: () => Promise<T>): (isAsked?: boolean) => Promise<T> {
  let loading: Promise<T> | undefined
  const request = async (isAsked: boolean): Promise<T> => {
    if (isAsked && navigator.onLine === false) await reachStation()
    return load()
  }
  const loadOnce = (isAsked = true): Promise<T> => {
    loading ??= request(isAsked).catch((failure: unknown) => {
      loading = undefined
      window.addEventListener('online', loadAgain, { once: true })
      throw failure
    })
    return loading
  }
  const loadAgain = (): void => void loadOnce().catch(() => undefined)
  return loadOnce
}
