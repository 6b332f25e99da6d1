import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '../lib/paths.ts'
import { takeEarlyKeys } from '../lib/remote/early-keys.ts'
import { pageActions } from '../lib/remote/remote-actions.ts'
import { caretEdgesOf, focusKindOf, type RemoteAction, remoteActionFor } from '../lib/remote/remote-keys.ts'
import { arrowOrigin, keepFocus } from './keep-focus.ts'
import { topLayer } from './open-layer.ts'
import { moveFocus } from './spatial-focus.ts'

/** Lets every page be used with arrow keys and a remote control (docs/product/viewer.md §2). */
export function useRemoteControl(): void {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  // Layout effects run before a key can be pressed on what is shown.
  useLayoutEffect(() => keepFocus(), [])
  /** The focused element, if an arrow moved the focus to it. */
  const reachedByArrow = useRef<Element>(null)

  const goBack = useEffectEvent((key: string) => {
    if (topLayer()) closeLayer(key)
    else if (pathname === paths.live() || !hasHistory()) void navigate(paths.root())
    else void navigate(-1)
  })

  /** Performs the action of a key. Returns false if this page does not handle it. */
  const act = useEffectEvent((action: RemoteAction, key: string): boolean => {
    switch (action.kind) {
      case 'move':
        if (scrollsItself(action.key)) return false
        moveByArrow(action.key)
        reachedByArrow.current = document.activeElement
        return true
      case 'activate':
        activate(document.activeElement)
        return true
      case 'back':
        goBack(key)
        return true
      case 'home':
        void navigate(paths.root())
        return true
      default:
        return actOnPage(action)
    }
  })

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // Keys that a menu, tab list or dialog has handled are ignored.
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const focused = document.activeElement
    const edges = caretEdgesOf(focused, focused === reachedByArrow.current)
    const action = remoteActionFor(event, focusKindOf(focused), edges)
    if (action && act(action, event.key)) event.preventDefault()
  })

  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    const onLeave = () => {
      reachedByArrow.current = null
    }
    window.addEventListener('keydown', listener)
    window.addEventListener('focusout', onLeave)
    for (const event of takeEarlyKeys()) onKey(event)
    return () => {
      window.removeEventListener('keydown', listener)
      window.removeEventListener('focusout', onLeave)
    }
  }, [])
}

/** Closes the dialog or menu on top. They do so on Escape; the remote's other back keys are dispatched as Escape. */
function closeLayer(key: string): void {
  if (key === 'Escape') return
  const pressed = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  ;(document.activeElement ?? document.body).dispatchEvent(pressed)
}

/** Performs an action that the open page has registered. Returns false if it has registered none. */
function actOnPage(action: RemoteAction): boolean {
  const page = pageActions()
  switch (action.kind) {
    case 'log':
      performance.mark(`remote:${action.key}`)
      return true
    case 'guide':
      page?.guide?.()
      break
    case 'channel':
      page?.channel?.(action.step)
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

/** Clicks the focused element; a select or a date field opens its picker. */
function activate(element: Element | null): void {
  if (element instanceof HTMLSelectElement) element.showPicker()
  else if (element instanceof HTMLInputElement && focusKindOf(element) === 'datetime') element.showPicker()
  else if (element instanceof HTMLElement) element.click()
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
