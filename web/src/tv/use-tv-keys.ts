import { getNextFocus } from '@bbc/tv-lrud-spatial'
import { useEffect, useEffectEvent } from 'react'
import { noticeKind } from '../features/live/picture-notice.tsx'
import { type RemoteAction, remoteActionFor } from '../lib/remote/remote-keys.ts'
import type { Tv } from './use-tv.ts'

/** The step of a volume key. */
export const VOLUME_STEP = 0.05

const KEY_CODES: Record<string, number> = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }
const ACTIVATE = new Set(['Enter', ' '])

/** The part of the page in which arrows move the focus. */
const PANEL = '[data-panel]'

/** Lets the page be used with the four arrows, OK and Back. Keys that a panel has handled are ignored. */
export function useTvKeys(tv: Tv): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (handle(tv, event)) event.preventDefault()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

/** Performs the action of a key. Returns false if the browser is to do so, which presses the focused button. */
function handle(tv: Tv, event: KeyboardEvent): boolean {
  if (/^[0-9]$/.test(event.key)) {
    tv.enterDigit(event.key)
    return true
  }
  if (ACTIVATE.has(event.key)) {
    if (tv.panel !== undefined) return false
    if (!event.repeat) pressOnPicture(tv)
    return true
  }
  const action = remoteActionFor(event, 'button')
  return action !== undefined && act(tv, action, event.repeat)
}

function act(tv: Tv, action: RemoteAction, isHeld: boolean): boolean {
  const { session } = tv
  switch (action.kind) {
    case 'move':
      move(tv, action.key, isHeld)
      return true
    case 'back':
      if (!isHeld) goBack(tv)
      return true
    case 'guide':
      tv.setPanel(tv.panel === 'guide' ? undefined : 'guide')
      return true
    case 'channel':
      tv.zap(action.step)
      return true
    case 'volume':
      tv.sound.setVolume(session.state.get().volume + action.step * VOLUME_STEP)
      return true
    case 'mute':
      tv.sound.setMuted(!session.state.get().muted)
      return true
    default:
      return false
  }
}

/** On the picture and in the strip below it Up and Down change the channel; elsewhere arrows move the focus. */
function move(tv: Tv, key: string, isHeld: boolean): void {
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown'
  const isOnPicture = tv.panel === undefined
  if (isVertical && (isOnPicture || tv.panel === 'info')) {
    if (!isHeld) tv.zap(key === 'ArrowUp' ? 1 : -1)
    return
  }
  if (isOnPicture) {
    tv.setPanel('info')
    return
  }
  const panel = document.querySelector<HTMLElement>(PANEL)
  if (!panel) return
  const { activeElement } = document
  const from = activeElement instanceof HTMLElement && panel.contains(activeElement) ? activeElement : null
  getNextFocus(from, KEY_CODES[key] ?? 0, panel)?.focus()
}

/** Closes what is open, one step at a time. */
function goBack(tv: Tv): void {
  if (tv.panel === 'info') tv.setPanel(undefined)
  else if (tv.panel !== undefined) tv.setPanel('info')
  else if (tv.session.state.get().selected) tv.session.backToLive()
  else leaveApp()
}

/** OK while nothing is open: does what the notice on the picture says, else opens the strip. */
function pressOnPicture(tv: Tv): void {
  const state = tv.session.state.get()
  const kind = noticeKind(tv, state)
  if (kind === 'blocked' || kind === 'sound-blocked') tv.session.tuneIn()
  else if (kind !== 'unreachable') tv.setPanel('info')
  else if (state.selected) tv.session.backToLive()
  else tv.session.retryNow()
}

/** What televisions provide to installed apps: webOS (`platformBack`) and Tizen. */
interface TelevisionHost {
  webOSSystem?: { platformBack?: () => void }
  tizen?: { application: { getCurrentApplication: () => { exit: () => void } } }
}

/** Back on the first screen: leaves the installed app; in a browser, goes back in its history. */
function leaveApp(host = window as TelevisionHost): void {
  if (host.webOSSystem?.platformBack) host.webOSSystem.platformBack()
  else if (host.tizen) host.tizen.application.getCurrentApplication().exit()
  else window.history.back()
}
