import { keyName } from './remote-key-codes.ts'

/** What a key of a keyboard or a remote control stands for (docs/product/viewer.md §2, "Remote and keyboard"). */
export type RemoteAction =
  | { kind: 'move'; key: string }
  | { kind: 'activate' }
  | { kind: 'back' }
  | { kind: 'home' }
  | { kind: 'guide' }
  | { kind: 'channel'; step: 1 | -1 }
  | { kind: 'volume'; step: 1 | -1 }
  | { kind: 'mute' }
  | { kind: 'log'; key: string }

/**
 * Where the focus is:
 * - text: a line in which one types; lines: a field of several lines
 * - range: a slider; toggle: a checkbox or radio button
 * - picker: a choice whose own list opens; instant: a date or a time, which arrows change as well
 * - button: activates itself by Enter and Space; link: by Enter only
 */
export type FocusKind =
  | 'text'
  | 'lines'
  | 'range'
  | 'picker'
  | 'instant'
  | 'toggle'
  | 'button'
  | 'link'
  | 'other'

/**
 * Whether the caret of a text, or a slider, stands where an arrow cannot move it any further. A date or a choice that
 * was come to by arrows is passed by arrows: who goes by them alone opens its list, everybody else changes it by them.
 */
export type CaretEdges = { isAtStart: boolean; isAtEnd: boolean }

const INSIDE: CaretEdges = { isAtStart: false, isAtEnd: false }
const ARROWS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])
const MEDIA = new Set([
  'MediaPlayPause',
  'MediaPlay',
  'MediaPause',
  'MediaRewind',
  'MediaFastForward',
  'MediaTrackNext',
  'MediaTrackPrevious',
])

/** What a key does; undefined when the browser's own answer to it is the right one. */
export function remoteActionFor(
  pressed: string | Pick<KeyboardEvent, 'key' | 'keyCode'>,
  focus: FocusKind,
  caret = INSIDE,
): RemoteAction | undefined {
  const key = typeof pressed === 'string' ? pressed : keyName(pressed)
  const isTyping = focus === 'text' || focus === 'lines'
  if (ARROWS.has(key)) return movesFrom(focus, key, caret) ? { kind: 'move', key } : undefined
  if (MEDIA.has(key)) return { kind: 'log', key }
  switch (key) {
    case 'Enter':
      return focus === 'toggle' || opensItsOwn(focus) ? { kind: 'activate' } : undefined
    case ' ':
      return focus === 'link' ? { kind: 'activate' } : undefined
    case 'Backspace':
      return isTyping ? undefined : { kind: 'back' }
    case 'Home':
      return isTyping || focus === 'range' || opensItsOwn(focus) ? undefined : { kind: 'home' }
    default:
      return OF_REMOTES[key]
  }
}

const opensItsOwn = (focus: FocusKind): boolean => focus === 'picker' || focus === 'instant'

/** Keys that mean the same wherever the focus is. */
const OF_REMOTES: Record<string, RemoteAction> = {
  Escape: { kind: 'back' },
  GoBack: { kind: 'back' },
  BrowserBack: { kind: 'back' },
  MediaStop: { kind: 'home' },
  BrowserHome: { kind: 'home' },
  ContextMenu: { kind: 'guide' },
  Menu: { kind: 'guide' },
  Guide: { kind: 'guide' },
  ChannelUp: { kind: 'channel', step: 1 },
  ChannelDown: { kind: 'channel', step: -1 },
  AudioVolumeUp: { kind: 'volume', step: 1 },
  AudioVolumeDown: { kind: 'volume', step: -1 },
  AudioVolumeMute: { kind: 'mute' },
}

/** Arrows keep their meaning inside a text, a slider or a date as long as they have one there; then they lead on. */
function movesFrom(focus: FocusKind, key: string, { isAtStart, isAtEnd }: CaretEdges): boolean {
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight'
  const isAtEdge = key === 'ArrowLeft' || key === 'ArrowUp' ? isAtStart : isAtEnd
  if (focus === 'lines') return isAtEdge
  if (focus === 'text') return !isSideways || isAtEdge
  if (focus === 'range') return !isSideways || isAtEdge
  if (focus === 'instant') return !isSideways && isAtEdge
  return !isSideways || focus !== 'picker' || isAtEdge
}

const NOT_TYPED = new Set(['button', 'submit', 'reset', 'image', 'file', 'color'])
const INSTANTS = new Set(['date', 'time', 'datetime-local', 'month', 'week'])

/** Which of these the focused element is. */
export function focusKindOf(element: Element | null): FocusKind {
  if (element instanceof HTMLTextAreaElement) return 'lines'
  if (element instanceof HTMLElement && element.isContentEditable) return 'lines'
  if (element instanceof HTMLSelectElement) return 'picker'
  if (element instanceof HTMLInputElement) {
    if (element.type === 'range' || element.type === 'number') return 'range'
    if (element.type === 'checkbox' || element.type === 'radio') return 'toggle'
    if (INSTANTS.has(element.type)) return 'instant'
    return NOT_TYPED.has(element.type) ? 'button' : 'text'
  }
  if (element instanceof HTMLButtonElement) return 'button'
  return element instanceof HTMLAnchorElement ? 'link' : 'other'
}

/** Where the caret or the slider of the focused field stands; with a selection it is inside. */
export function caretEdgesOf(element: Element | null, isReachedByArrow = false): CaretEdges {
  const passed = { isAtStart: isReachedByArrow, isAtEnd: isReachedByArrow }
  if (element instanceof HTMLSelectElement) return passed
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return INSIDE
  if (INSTANTS.has(element.type)) return passed
  if (element instanceof HTMLInputElement && element.type === 'range') {
    const { value, min, max } = element
    return { isAtStart: Number(value) <= Number(min || 0), isAtEnd: Number(value) >= Number(max || 100) }
  }
  // Fields for addresses and numbers do not tell their caret; an empty one has only one place for it.
  if (element.value === '') return { isAtStart: true, isAtEnd: true }
  const { selectionStart: from, selectionEnd: to } = element
  if (from === null || from !== to) return INSIDE
  return { isAtStart: from === 0, isAtEnd: from === element.value.length }
}
