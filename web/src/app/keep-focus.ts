import { topLayer } from './open-layer.ts'
import { focusQuietly, pageStart } from './page-start.ts'

/** Where the focus was: what had it, what that was in (the nearest first), and where on the screen it stood. */
type Place = { element: HTMLElement; ancestors: Element[]; rect: DOMRect }

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])'

/** After a removal others have this long to put the focus somewhere themselves: a dialog that closes does. */
const GRACE_MS = 100

let last: Place | undefined
let isByKey = false

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body
const isDisabled = (element: HTMLElement): boolean => element.matches(':disabled')
const isGone = (element: Element): boolean => !element.isConnected || !element.checkVisibility()

/** Whether the last thing that the viewer used was a key: then a lost focus is a lost viewer. */
export const isUsingKeys = (): boolean => isByKey

/**
 * From where an arrow leads on: what has the focus, or had it last. When that is gone, its successor gets the focus
 * and null is answered: one step at a time.
 */
export function arrowOrigin(): HTMLElement | undefined | null {
  if (!isNowhere() && document.activeElement instanceof HTMLElement) return document.activeElement
  if (!last) return undefined
  if (!isGone(last.element)) return last.element
  const successor = successorOf(last)
  if (!successor) return undefined
  focusQuietly(successor)
  successor.scrollIntoView({ block: 'nearest' })
  return null
}

/**
 * Watches over the focus of the document until the answered function is called: when what has it is removed or
 * hidden, the nearest thing that is left gets it; when it is only disabled for a while, it gets it back.
 */
export function keepFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const remember = () => {
    const element = document.activeElement
    if (isNowhere() || !(element instanceof HTMLElement)) return
    last = { element, ancestors: ancestorsOf(element), rect: element.getBoundingClientRect() }
  }
  const repair = () => {
    timer = undefined
    if (!isByKey || !last || !isNowhere()) return
    if (isGone(last.element)) {
      const successor = successorOf(last)
      if (successor) focusQuietly(successor)
    } else if (wasTaken && !isDisabled(last.element)) focusQuietly(last.element)
  }
  // Whether the browser took the focus from something that was disabled, and not the viewer.
  let wasTaken = false
  const observer = new MutationObserver(() => {
    if (!last || !isNowhere()) return
    wasTaken ||= isDisabled(last.element)
    timer ??= setTimeout(repair, GRACE_MS)
  })
  const onFocus = () => {
    wasTaken = false
    remember()
  }
  const onKey = () => {
    isByKey = true
    remember()
  }
  const onPointer = () => {
    isByKey = false
    wasTaken = false
  }

  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'hidden', 'inert'],
  })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('keydown', onKey, true)
  document.addEventListener('pointerdown', onPointer, true)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('keydown', onKey, true)
    document.removeEventListener('pointerdown', onPointer, true)
  }
}

function ancestorsOf(element: Element): Element[] {
  const ancestors: Element[] = []
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) ancestors.push(up)
  return ancestors
}

/** What stands nearest to the place, in the innermost thing around it that is left; of a page that is gone, the start of the next. */
function successorOf({ ancestors, rect }: Place): HTMLElement | null {
  const layer = topLayer()
  const page = ancestors.find((ancestor) => ancestor.localName === 'main')
  if (!layer && page && isGone(page)) return pageStart()
  const around = ancestors.filter((ancestor) => ancestor.isConnected && (!layer || layer.contains(ancestor)))
  for (const ancestor of layer ? [...around, layer] : around) {
    const nearest = nearestTo(rect, ancestor)
    if (nearest) return nearest
  }
  return pageStart()
}

function nearestTo(rect: DOMRect, scope: Element): HTMLElement | undefined {
  const distance = (element: HTMLElement) => {
    const { left, top } = element.getBoundingClientRect()
    return Math.hypot(left - rect.left, top - rect.top)
  }
  return [...scope.querySelectorAll<HTMLElement>(FOCUSABLE)]
    .filter((element) => !isDisabled(element) && !element.closest('[inert]') && element.checkVisibility())
    .map((element) => ({ element, distance: distance(element) }))
    .sort((a, b) => a.distance - b.distance)[0]?.element
}
