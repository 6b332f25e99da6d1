import { reachStation } from './reach-station.ts'

/** Stylesheets that could not be loaded. Vite adds each to the page once, and never again after a failure. */
const failedStyles = new Set<HTMLLinkElement>()
if (typeof window !== 'undefined') {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  }
  window.addEventListener('error', note, true)
}

let requested: Promise<unknown> = Promise.resolve()

function requestFailedStyles(): Promise<unknown> {
  if (failedStyles.size > 0) {
    requested = Promise.all([...failedStyles].map(requestAgain))
    failedStyles.clear()
  }
  return requested
}

const requestAgain = (failed: HTMLLinkElement): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = failed.rel
    link.crossOrigin = failed.crossOrigin
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`${failed.href} could not be loaded`)))
    link.href = failed.href
    failed.replaceWith(link)
  })

/**
 * Wraps a dynamic import, so that one that failed is requested again by the next call and when the network returns, and
 * styles that failed with it. While the browser reports that it is offline, the station is asked before anything is
 * imported: some browsers keep a failed import for the life of the page and do not request it again. Rejects if the code
 * cannot be loaded.
 * With `isAsked` false it is imported without asking: also code that the browser has preloaded can then be used offline.
 */
export function loader<T>(load: () => Promise<T>): (isAsked?: boolean) => Promise<T> {
  let loading: Promise<T> | undefined
  const request = async (isAsked: boolean): Promise<T> => {
    if (isAsked && navigator.onLine === false) await reachStation()
    await requestFailedStyles()
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
