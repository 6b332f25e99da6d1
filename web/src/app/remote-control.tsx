import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { type PageActionHandlers, RemoteActions } from '../lib/remote-actions.tsx'
import { focusKindOf, remoteActionFor } from '../lib/remote-keys.ts'
import { paths } from './paths.ts'

/** Fetched by the first arrow key: most visitors have a mouse or a finger. */
const loadSpatial = () => import('@bbc/tv-lrud-spatial')

const OPEN_LAYER = '[role="dialog"][data-state="open"], [role="menu"][data-state="open"]'

/** Makes every page go by arrow keys and the keys of a remote control. */
export function RemoteControl({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const pages = useRef<PageActionHandlers[]>([])

  const goBack = useEffectEvent((key: string) => {
    if (document.querySelector(OPEN_LAYER)) {
      // Dialogs and menus close themselves on Escape; the remote's other keys for "back" are told to them as that.
      if (key === 'Escape') return
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
    } else if (pathname === paths.live()) navigate(paths.root())
    else if (hasHistory()) navigate(-1)
    else navigate(paths.root())
  })

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // What has been dealt with further down (a menu, a tab list, a dialog) is done.
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    const action = remoteActionFor(event.key, focusKindOf(document.activeElement))
    if (!action) return
    const page = pages.current.at(-1)
    if (action.kind === 'move' && scrollsItself(action.key)) return
    if (action.kind === 'move') void moveFocus(action.key)
    else if (action.kind === 'activate') (document.activeElement as HTMLElement).click()
    else if (action.kind === 'back') goBack(event.key)
    else if (action.kind === 'home') navigate(paths.root())
    else if (action.kind === 'log') performance.mark(`remote:${action.key}`)
    else if (!page) return
    else if (action.kind === 'guide') page.guide?.()
    else page.channel?.(action.step)
    event.preventDefault()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])

  return <RemoteActions value={pages.current}>{children}</RemoteActions>
}

/** Whether the focused element is a list that can still scroll in that direction: then it does. */
function scrollsItself(key: string): boolean {
  const element = document.activeElement
  if (element?.getAttribute('role') !== 'log') return false
  if (key === 'ArrowUp') return element.scrollTop > 0
  return key === 'ArrowDown' && element.scrollTop + element.clientHeight < element.scrollHeight - 1
}

const KEY_CODES: Record<string, number> = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }

/** Focuses the nearest thing in that direction, inside the topmost dialog if there is one. */
async function moveFocus(key: string): Promise<void> {
  const { getNextFocus } = await loadSpatial()
  const scope = [...document.querySelectorAll<HTMLElement>(OPEN_LAYER)].at(-1) ?? document.body
  const from = document.activeElement
  const origin = from instanceof HTMLElement && scope.contains(from) && from !== document.body ? from : null
  const next = getNextFocus(origin, KEY_CODES[key] ?? 0, scope)
  next?.focus()
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Whether this app has been on another page before this one. */
function hasHistory(): boolean {
  const state: unknown = window.history.state
  const index = typeof state === 'object' && state !== null && 'idx' in state ? state.idx : 0
  return typeof index === 'number' && index > 0
}
