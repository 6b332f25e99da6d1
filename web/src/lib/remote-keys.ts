/** What a key of a keyboard or a remote control stands for (viewer specification §2, "Remote and keyboard"). */
export type RemoteAction =
  | { kind: 'move'; key: string }
  | { kind: 'activate' }
  | { kind: 'back' }
  | { kind: 'home' }
  | { kind: 'guide' }
  | { kind: 'channel'; step: 1 | -1 }
  | { kind: 'log'; key: string }

/**
 * Where the focus is:
 * - text: a line in which one types; lines: a field of several lines
 * - range: a slider; toggle: a checkbox or radio button
 * - button: activates itself by Enter and Space; link: by Enter only
 */
export type FocusKind = 'text' | 'lines' | 'range' | 'toggle' | 'button' | 'link' | 'other'

const SIDEWAYS = new Set(['ArrowLeft', 'ArrowRight'])
const ARROWS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])
const MEDIA = new Set(['MediaPlayPause', 'MediaPlay', 'MediaPause', 'MediaTrackNext', 'MediaTrackPrevious'])

/** What a key does; undefined when the browser's own answer to it is the right one. */
export function remoteActionFor(key: string, focus: FocusKind): RemoteAction | undefined {
  const isTyping = focus === 'text' || focus === 'lines'
  if (ARROWS.has(key)) return movesFrom(focus, key) ? { kind: 'move', key } : undefined
  if (MEDIA.has(key)) return { kind: 'log', key }
  switch (key) {
    case 'Enter':
      return focus === 'toggle' ? { kind: 'activate' } : undefined
    case ' ':
      return focus === 'link' ? { kind: 'activate' } : undefined
    case 'Escape':
    case 'GoBack':
    case 'BrowserBack':
      return { kind: 'back' }
    case 'Backspace':
      return isTyping ? undefined : { kind: 'back' }
    case 'Home':
      return isTyping || focus === 'range' ? undefined : { kind: 'home' }
    case 'MediaStop':
    case 'BrowserHome':
      return { kind: 'home' }
    case 'ContextMenu':
    case 'Menu':
    case 'Guide':
      return { kind: 'guide' }
    case 'ChannelUp':
      return { kind: 'channel', step: 1 }
    case 'ChannelDown':
      return { kind: 'channel', step: -1 }
    default:
      return undefined
  }
}

/** Arrows keep their meaning inside a text or a slider as long as they have one there. */
function movesFrom(focus: FocusKind, key: string): boolean {
  if (focus === 'lines') return false
  if (focus === 'text' || focus === 'range') return !SIDEWAYS.has(key)
  return true
}

const NOT_TYPED = new Set(['button', 'submit', 'reset', 'image', 'file', 'color'])

/** Which of these the focused element is. */
export function focusKindOf(element: Element | null): FocusKind {
  if (element instanceof HTMLTextAreaElement) return 'lines'
  if (element instanceof HTMLElement && element.isContentEditable) return 'lines'
  if (element instanceof HTMLSelectElement) return 'range'
  if (element instanceof HTMLInputElement) {
    if (element.type === 'range' || element.type === 'number') return 'range'
    if (element.type === 'checkbox' || element.type === 'radio') return 'toggle'
    return NOT_TYPED.has(element.type) ? 'button' : 'text'
  }
  if (element instanceof HTMLButtonElement) return 'button'
  return element instanceof HTMLAnchorElement ? 'link' : 'other'
}
