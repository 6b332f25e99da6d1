import { getNextFocus } from '@bbc/tv-lrud-spatial'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { wouldLose } from '../lib/browser/loss-guard.ts'
import { endLivePicture } from '../lib/media/live-picture.ts'
import { paths } from '../lib/paths.ts'
import { takeEarlyKeys } from '../lib/remote/early-keys.ts'
import { pageActions } from '../lib/remote/remote-actions.ts'
import {
  ADJUSTED,
  caretEdgesOf,
  focusKindOf,
  type RemoteAction,
  remoteActionFor,
} from '../lib/remote/remote-keys.ts'
import { toast } from '../ui/toast.ts'
import { arrowOrigin, keepFocus } from './keep-focus.ts'
import { topLayer } from './open-layer.ts'
import { PAGE, shownPage } from './page-start.ts'

/** Lets every page be used with arrow keys and a remote control (docs/product/viewer.md §2). */
export function useRemoteControl(): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  // Layout effects run before a key can be pressed on what is shown.
  useLayoutEffect(() => keepFocus(), [])
  const reachedByArrow = useReachedByArrow()

  const goBack = useEffectEvent((key: string) => {
    if (endAdjusting(document.activeElement)) return
    if (topLayer()) closeLayer(key)
    else if (isAdminPage(pathname) && leaveField()) return
    else if (wouldLose()) toast({ title: 'This page has unsaved input', description: KEPT_TEXT })
    else if (pathname === paths.live() || !hasHistory()) void navigate(paths.root())
    else void navigate(-1)
  })

  /** Performs the action of a key. Returns false if this page does not handle it. */
  const act = useEffectEvent((action: RemoteAction, { key, repeat }: KeyboardEvent): boolean => {
    const focused = document.activeElement
    switch (action.kind) {
      case 'move':
        if (scrollsItself(action.key)) return false
        if (topLayer() || !pageActions()?.arrow?.(action.key, repeat)) moveByArrow(action.key)
        if (document.activeElement !== focused) reachedByArrow.current = document.activeElement
        return true
      case 'activate':
        activate(focused)
        return true
      case 'back':
        if (key === 'Backspace' && isAdminPage(pathname) && focused?.closest(ITEMS)) return false
        goBack(key)
        return true
      case 'home':
        if (key === 'MediaStop') endLivePicture()
        void navigate(paths.root())
        return true
      default:
        return actOnPage(action, repeat)
    }
  })

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Keys that a menu, tab list or dialog has handled are ignored.
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const focused = document.activeElement
    const edges = caretEdgesOf(focused, focused === reachedByArrow.current)
    const action = remoteActionFor(event, focusKindOf(focused), edges)
    if (action && act(action, event)) event.preventDefault()
  })

  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    for (const event of takeEarlyKeys()) onKey(event)
    return () => {
      window.removeEventListener('keydown', listener)
    }
  }, [])
}

/** Pages with forms, where a back key first leaves a field. Their addresses begin in this way. */
const ADMIN_PAGES = /^\/(admin|control)(\/|$)/
const isAdminPage = (pathname: string): boolean => ADMIN_PAGES.test(pathname)

/** Places of the admin pages where Backspace may be meant to delete something: it does not go back from there. */
const ITEMS = 'main :is(li, tr, [role="tabpanel"])'

const KEPT_TEXT = 'Something is typed or selected here. Clear it, or use a link to leave.'

/** The kinds of fields that hold a value; a toggle has nothing to leave. */
const FIELDS: ReadonlySet<string> = new Set(['text', 'textarea', 'number', 'picker', 'datetime'])

/** Takes the focus out of a field. Returns false if no field has it. */
function leaveField(): boolean {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !FIELDS.has(focusKindOf(focused))) return false
  focused.blur()
  return true
}

/** The element that an arrow moved the focus to last, unless the pointer or Tab has been used since. */
function useReachedByArrow() {
  const reached = useRef<Element>(null)
  useLayoutEffect(() => {
    const forget = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== 'Tab') return
      reached.current = null
    }
    window.addEventListener('keydown', forget, true)
    window.addEventListener('pointerdown', forget, true)
    return () => {
      window.removeEventListener('keydown', forget, true)
      window.removeEventListener('pointerdown', forget, true)
    }
  }, [])
  return reached
}

/** Closes the dialog or menu on top. They do so on Escape; the remote's other back keys are dispatched as Escape. */
function closeLayer(key: string): void {
  if (key === 'Escape') return
  const pressed = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  ;(document.activeElement ?? document.body).dispatchEvent(pressed)
}

/** Performs an action that the open page has registered. Returns false if it has registered none. */
function actOnPage(action: RemoteAction, isHeld: boolean): boolean {
  const page = pageActions()
  switch (action.kind) {
    case 'log':
      performance.mark(`remote:${action.key}`)
      return true
    case 'guide':
      page?.guide?.()
      break
    case 'channel':
      if (!isHeld) page?.channel?.(action.step)
      break
    case 'volume':
      page?.volume?.(action.step)
      break
    case 'mute':
      page?.mute?.()
      break
  }
  return page !== undefined
}

/** Clicks the focused element; a select or a date field opens its picker, and arrows adjust a slider or no longer do. */
function activate(element: Element | null): void {
  if (focusKindOf(element) === 'range') {
    if (!endAdjusting(element)) startAdjusting(element)
  } else if (element instanceof HTMLSelectElement) element.showPicker()
  else if (element instanceof HTMLInputElement && focusKindOf(element) === 'datetime') element.showPicker()
  else if (element instanceof HTMLElement) element.click()
}

function startAdjusting(slider: Element | null): void {
  slider?.setAttribute(ADJUSTED, '')
  slider?.addEventListener('blur', () => endAdjusting(slider), { once: true })
}

/** Returns whether arrows adjusted the element. */
function endAdjusting(element: Element | null): boolean {
  const wasAdjusted = element?.hasAttribute(ADJUSTED) ?? false
  element?.removeAttribute(ADJUSTED)
  return wasAdjusted
}

/** Whether the focused element is a message list that can scroll in that direction: then the arrow scrolls it. */
function scrollsItself(key: string): boolean {
  const element = document.activeElement
  if (element?.getAttribute('role') !== 'log') return false
  if (key === 'ArrowUp') return element.scrollTop > 0
  return key === 'ArrowDown' && element.scrollTop + element.clientHeight < element.scrollHeight - 1
}

/** Moves the focus before the key press ends, so that the next key goes to the newly focused element. */
function moveByArrow(key: string): void {
  const origin = arrowOrigin()
  if (origin !== null) moveFocus(key, origin)
}

/** Whether this tab has shown another page of the app before. */
function hasHistory(): boolean {
  const state: unknown = window.history.state
  const index = typeof state === 'object' && state !== null && 'idx' in state ? state.idx : 0
  return typeof index === 'number' && index > 0
}

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
function moveFocus(key: string, origin: HTMLElement | undefined): void {
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
    const next = from ? nextFocus(from, key, scope) : (firstIn(layer ?? shownPage()) ?? firstIn(scope))
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

/**
 * Up and Down stay inside the page while there is something in that direction. Bars that keep their place over a scrolled
 * page are nearer than what they cover.
 */
function nextFocus(from: HTMLElement, key: string, scope: HTMLElement): HTMLElement | null {
  const code = KEY_CODES[key] ?? 0
  const page = key === 'ArrowUp' || key === 'ArrowDown' ? from.closest<HTMLElement>(PAGE) : null
  const within = page !== null && scope.contains(page) ? getNextFocus(from, code, page) : null
  return within ?? getNextFocus(from, code, scope)
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
  element.matches(`${PAGE}, [role="dialog"], [role="alertdialog"]`)

const firstIn = (scope: HTMLElement | undefined): HTMLElement | null =>
  scope ? getNextFocus(null, KEY_CODES.ArrowDown ?? 0, scope) : null
