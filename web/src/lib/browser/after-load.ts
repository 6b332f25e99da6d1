/** Delay after the page's load event before deferred code is fetched, in ms. */
const DELAY_MS = 1_500

/** Calls back once, after the page has loaded. Returns how to cancel it. */
export function afterLoad(callback: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const start = () => {
    timer = setTimeout(callback, DELAY_MS)
  }
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
  return () => {
    window.removeEventListener('load', start)
    clearTimeout(timer)
  }
}
