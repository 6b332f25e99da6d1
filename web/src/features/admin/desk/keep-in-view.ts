/** Time in which what is loaded above an element may still move it, in ms. */
const SETTLES_WITHIN_MS = 4_000
const BY_HAND = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/**
 * Scrolls an element to the top of the window and keeps it there while the page above it is still growing, until the
 * user scrolls or types. Returns a function that stops it.
 */
export function keepInView(element: HTMLElement): () => void {
  const scroll = () => element.scrollIntoView({ block: 'start' })
  const observer = new ResizeObserver(scroll)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
    for (const sign of BY_HAND) window.removeEventListener(sign, stop)
  }
  const timer = setTimeout(stop, SETTLES_WITHIN_MS)
  observer.observe(document.body)
  for (const sign of BY_HAND) window.addEventListener(sign, stop, { passive: true })
  scroll()
  return stop
}
