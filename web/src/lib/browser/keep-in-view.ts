/** Time during which content that loads above the element may still move it, in ms. */
const KEEP_MS = 15_000
const USER_INPUT_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const

/**
 * Scrolls an element to the top of the window and keeps it there while content above it loads, until the user scrolls
 * or types. Returns a function that stops it.
 */
export function keepInView(element: HTMLElement): () => void {
  const scroll = () => element.scrollIntoView({ block: 'start' })
  const observer = new ResizeObserver(scroll)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
    for (const type of USER_INPUT_EVENTS) window.removeEventListener(type, stop)
  }
  const timer = setTimeout(stop, KEEP_MS)
  observer.observe(document.body)
  for (const type of USER_INPUT_EVENTS) window.addEventListener(type, stop, { passive: true })
  scroll()
  return stop
}
