/**
 * A finger is heard by the element it was put down on and by nothing else, even when that one leaves the page: as a row
 * does that is lifted out of a virtual list, whose drag would then never move (hello-pangea/dnd, issue 801). Passes on
 * to the window what such an element hears, until the finger is lifted.
 */
export function followTouch({ target }: TouchEvent): void {
  if (!(target instanceof Element)) return
  const listening = new AbortController()
  const passOn = (event: TouchEvent) => {
    if (!target.isConnected && !window.dispatchEvent(copyOf(event))) event.preventDefault()
    if (event.type !== 'touchmove') listening.abort()
  }
  for (const type of ['touchmove', 'touchend', 'touchcancel'] as const) {
    target.addEventListener(type, (event) => passOn(event as TouchEvent), {
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
