import { getNextFocus } from '@bbc/tv-lrud-spatial'
import { topLayer } from './open-layer.ts'
import { shownPage } from './page-start.ts'

/** What the library leaves out while it looks. */
const LEFT_OUT = 'lrud-ignore'
/** Fields that the library sees only with a `tabindex`. */
const UNSEEN = 'textarea, select, summary'
/** Messages in passing can be focused, but there is something to press in only some of them. */
const MESSAGE = '[data-sonner-toast]'
const MAX_TRIES = 40
const KEY_CODES: Record<string, number> = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }

let made = 0

/**
 * Focuses the nearest thing in the direction of an arrow, inside the topmost dialog or menu if there is one. What
 * does not take the focus (it is hidden, or inert) is passed over. With no origin the first thing of the page is
 * meant.
 */
export function moveFocus(key: string, origin: HTMLElement | undefined): void {
  const layer = topLayer()
  const scope = layer ?? document.body
  for (const field of scope.querySelectorAll<HTMLElement>(UNSEEN)) {
    if (!field.hasAttribute('tabindex')) field.tabIndex = 0
  }
  for (const message of scope.querySelectorAll(MESSAGE)) {
    message.classList.toggle(LEFT_OUT, message.querySelector('button') === null)
  }
  const from = origin && scope.contains(origin) && !isFrame(origin) ? origin : null
  // The library remembers by its id where one was in a row, so that one returns to it.
  if (from && from.id === '') from.id = `focus-${++made}`
  const passed = from ? offTheLine(from, key) : []
  for (const element of passed) element.classList.add(LEFT_OUT)
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const next = from
      ? getNextFocus(from, KEY_CODES[key] ?? 0, scope)
      : (firstIn(layer ?? shownPage()) ?? firstIn(scope))
    if (!next || next === from) break
    next.focus({ preventScroll: true })
    if (document.activeElement === next) {
      next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      break
    }
    next.classList.add(LEFT_OUT)
    passed.push(next)
  }
  for (const element of passed) element.classList.remove(LEFT_OUT)
}

const FOCUSABLE = 'a, button, input, textarea, select, summary, [tabindex]:not([tabindex="-1"])'
/** What the library takes for a group, whose members come before everything else. */
const GROUP = 'nav, section, .lrud-container'

/**
 * Sideways one goes along a line as long as there is something on it: what else lies on that side in the same group.
 * The library alone would take what is nearest, in the line above as well.
 */
function offTheLine(from: HTMLElement, key: string): HTMLElement[] {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return []
  const here = from.getBoundingClientRect()
  const beside = [...(from.parentElement?.closest(GROUP)?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
    .filter((element) => !element.matches(`:disabled, .${LEFT_OUT}`))
    .map((element) => ({ element, there: element.getBoundingClientRect() }))
    .filter(({ there }) => there.width > 0)
    .filter(({ there }) => (key === 'ArrowLeft' ? there.right <= here.left : there.left >= here.right))
  const isOnLine = ({ there }: { there: DOMRect }) => there.top < here.bottom && there.bottom > here.top
  if (!beside.some(isOnLine)) return []
  return beside.filter((one) => !isOnLine(one)).map(({ element }) => element)
}

/** The page or a dialog itself: all there is lies in it, and nothing beside it. */
const isFrame = (element: HTMLElement): boolean =>
  element.matches('main, [role="dialog"], [role="alertdialog"]')

const firstIn = (scope: HTMLElement | undefined): HTMLElement | null =>
  scope ? getNextFocus(null, KEY_CODES.ArrowDown ?? 0, scope) : null
