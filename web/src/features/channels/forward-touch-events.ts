/**
 * Forwards touch events to the window while their target is no longer in the document, until the touch ends. Touch
 * events are dispatched only to the element on which the touch started. A row lifted out of a virtual list is removed
 * from the document, so without this its drag would never move (hello-pangea/dnd, issue 801).
 */
export function forwardTouchEvents({ target }: TouchEvent): void {
  if (!(target instanceof Element)) return
  const listening = new AbortController()
  const forward = (event: TouchEvent) => {
    if (!target.isConnected && !window.dispatchEvent(copyOf(event))) event.preventDefault()
    if (event.type !== 'touchmove') listening.abort()
  }
  for (const type of ['touchmove', 'touchend', 'touchcancel'] as const) {
    target.addEventListener(type, (event) => forward(event as TouchEvent), {
      passive: false,
      signal: listening.signal,
    })
  }
}

const copyOf = ({ type, touches, targetTouches, changedTouches }: TouchEvent): TouchEvent =>
  new TouchEvent(type, {
    cancelable: true,
    touches: [...touches],
    targetTouches: [...targetTouches],
    changedTouches: [...changedTouches],
  })
