import { getNextFocus } from '@bbc/tv-lrud-spatial'
import { topLayer } from './open-layer.ts'
import { shownPage } from './page-start.ts'

/** The class of elements that the library ignores. */
const IGNORED = 'lrud-ignore'
/** Fields that the library finds only with a `tabindex`. */
const NEEDS_TABINDEX = 'textarea, select, summary'
/** Toasts are focusable, but only some have a button. */
const TOAST = '[data-sonner-toast]'
const MAX_TRIES = 40
const KEY_CODES: Record<string, number> = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }

let lastFocusId = 0

/**
 * Focuses the nearest element in the direction of an arrow, inside the topmost dialog or menu if there is one. Skips
 * elements that do not take the focus (hidden or inert). Without an origin, focuses the first element of the page.
 */
export function moveFocus(key: string, origin: HTMLElement | undefined): void {
  const layer = topLayer()
  const scope = layer ?? document.body
  for (const field of scope.querySelectorAll<HTMLElement>(NEEDS_TABINDEX)) {
    if (!field.hasAttribute('tabindex')) field.tabIndex = 0
  }
  for (const toast of scope.querySelectorAll(TOAST)) {
    toast.classList.toggle(IGNORED, toast.querySelector('button') === null)
  }
  const from = origin && scope.contains(origin) && !isFrame(origin) ? origin : null
  // The library remembers the focused element of a row by its id, to return to it.
  if (from && from.id === '') from.id = `focus-${++lastFocusId}`
  const skipped = from ? elementsOffLine(from, key) : []
  for (const element of skipped) element.classList.add(IGNORED)
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
    next.classList.add(IGNORED)
    skipped.push(next)
  }
  for (const element of skipped) element.classList.remove(IGNORED)
}

const FOCUSABLE = 'a, button, input, textarea, select, summary, [tabindex]:not([tabindex="-1"])'
/** The elements that the library treats as a group, whose members it prefers. */
const GROUP = 'nav, section, .lrud-container'

/**
 * Elements of the same group on that side but on another line, to be skipped while there are elements on the same line.
 * The library would choose the nearest element, even in the line above.
 */
function elementsOffLine(from: HTMLElement, key: string): HTMLElement[] {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return []
  const here = from.getBoundingClientRect()
  const beside = [...(from.parentElement?.closest(GROUP)?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])]
    .filter((element) => !element.matches(`:disabled, .${IGNORED}`))
    .map((element) => ({ element, there: element.getBoundingClientRect() }))
    .filter(({ there }) => there.width > 0)
    .filter(({ there }) => (key === 'ArrowLeft' ? there.right <= here.left : there.left >= here.right))
  const isOnLine = ({ there }: { there: DOMRect }) => there.top < here.bottom && there.bottom > here.top
  if (!beside.some(isOnLine)) return []
  return beside.filter((candidate) => !isOnLine(candidate)).map(({ element }) => element)
}

/** The page or a dialog itself: it contains every candidate, so it has no position beside them. */
const isFrame = (element: HTMLElement): boolean =>
  element.matches('main, [role="dialog"], [role="alertdialog"]')

const firstIn = (scope: HTMLElement | undefined): HTMLElement | null =>
  scope ? getNextFocus(null, KEY_CODES.ArrowDown ?? 0, scope) : null
