import { isOpenLayer, layerOf, topLayer } from './open-layer.ts'
import { focusQuietly, PAGE, pageStart } from './page-start.ts'

/** The last focus: the element, its ancestors from the nearest on, and its position on the screen. */
interface FocusRecord {
  element: HTMLElement
  ancestors: Element[]
  rect: DOMRect
  /** The dialog, menu or passing part of the page that contains the element. */
  layer: Element | null
  /** The last focus outside of that. */
  before: FocusRecord | undefined
}

const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])'

/** Delay before a lost focus is restored, in ms: a closing dialog restores it by itself. */
const RESTORE_DELAY_MS = 100

let last: FocusRecord | undefined
let isByKey = false

const isFocusLost = (): boolean => document.activeElement === null || document.activeElement === document.body
const isDisabled = (element: HTMLElement): boolean => element.matches(':disabled')
const isGone = (element: Element): boolean => !element.isConnected || !element.checkVisibility()

/** Whether the viewer's last input was a key: then a lost focus must be restored. */
export const isUsingKeys = (): boolean => isByKey

/**
 * The element from which an arrow moves the focus: the focused one, or the last one. If that was removed, its successor
 * is focused instead, and null is returned, because this arrow has moved the focus already.
 */
export function arrowOrigin(): HTMLElement | undefined | null {
  if (!isFocusLost() && document.activeElement instanceof HTMLElement) return document.activeElement
  if (!last) return undefined
  if (!isGone(last.element)) return last.element
  const successor = successorOf(last)
  if (!successor) return undefined
  focusQuietly(successor)
  successor.scrollIntoView({ block: 'nearest' })
  return null
}

/**
 * Restores a lost focus until the returned function is called: if the focused element is removed or hidden, the nearest
 * remaining one is focused; if it was only disabled for a while, it is focused again.
 */
export function keepFocus(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const remember = () => {
    const element = document.activeElement
    if (isFocusLost() || !(element instanceof HTMLElement)) return
    last = recordOf(element)
  }
  const restore = () => {
    timer = undefined
    if (!isByKey || !last || !isFocusLost()) return
    if (isGone(last.element)) {
      const successor = successorOf(last)
      if (successor) focusQuietly(successor)
    } else if (wasDisabled && !isDisabled(last.element)) focusQuietly(last.element)
  }
  // Whether the focus was lost because the element was disabled, not by the viewer.
  let wasDisabled = false
  const observer = new MutationObserver(() => {
    if (!last) return
    // Chromium moves the focus away from an element only when it next renders, after this call.
    wasDisabled ||= isDisabled(last.element)
    if (isFocusLost()) timer ??= setTimeout(restore, RESTORE_DELAY_MS)
  })
  const onFocus = () => {
    wasDisabled = false
    remember()
  }
  const onKey = () => {
    isByKey = true
    remember()
  }
  const onPointer = () => {
    isByKey = false
    wasDisabled = false
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

function recordOf(element: HTMLElement): FocusRecord {
  const layer = layerOf(element)
  return {
    element,
    ancestors: ancestorsOf(element),
    rect: element.getBoundingClientRect(),
    layer,
    before: layer ? lastBefore(layer) : undefined,
  }
}

/** The last focus outside a layer that has the focus now, and outside of those that it replaced. */
function lastBefore(layer: Element): FocusRecord | undefined {
  let record = last
  while (record?.layer && (record.layer === layer || !isOpenLayer(record.layer))) record = record.before
  return record
}

function ancestorsOf(element: Element): Element[] {
  const ancestors: Element[] = []
  for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) ancestors.push(up)
  return ancestors
}

/**
 * The nearest focusable element in the innermost remaining ancestor; the start of the next page if the page is gone. From
 * a layer that has closed, the element focused before it, or that one's successor.
 */
function successorOf({ ancestors, rect, layer: own, before }: FocusRecord): HTMLElement | null {
  const layer = topLayer()
  if (before && own && !isOpenLayer(own)) {
    const isUsable = !isGone(before.element) && !isDisabled(before.element)
    return isUsable && (!layer || layer.contains(before.element)) ? before.element : successorOf(before)
  }
  const page = ancestors.find((ancestor) => ancestor.matches(PAGE))
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
