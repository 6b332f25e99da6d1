/** Delay after the page's load event before deferred code is fetched, in ms. */
const DELAY_MS = 1_500
/** The same for what the viewer may need at once: the first view is shown by then. */
const SOON_MS = 300

/** Calls back once, after the page has loaded. Returns how to cancel it. */
export function afterLoad(callback: () => void, delayMs = DELAY_MS): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = () => {
    timer = setTimeout(callback, delayMs)
  }
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
  return () => {
    window.removeEventListener('load', start)
    clearTimeout(timer)
  }
}

/** As {@link afterLoad}, shortly after it. */
export const soonAfterLoad = (callback: () => void): (() => void) => afterLoad(callback, SOON_MS)
