/** The action of a key on a keyboard or a remote control (docs/product/viewer.md §2, "Remote and keyboard"). */
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
 * The kind of the focused element:
 * - text: a single-line text field; textarea: a multi-line one
 * - range: a slider; number: a field with arrows of its own; toggle: a checkbox or radio button
 * - picker: a select, which opens its own list; datetime: a date or time field, which arrows change as well
 * - button: activated by Enter and Space; link: by Enter only
 */
export type FocusKind =
  | 'text'
  | 'textarea'
  | 'range'
  | 'number'
  | 'picker'
  | 'datetime'
  | 'toggle'
  | 'button'
  | 'link'
  | 'other'

/**
 * Whether a text caret or a slider is at its end, so that an arrow cannot move it further. A date field, select or
 * slider reached with arrows counts as at both ends: the next arrow leaves it, and Enter opens its list or lets the
 * arrows adjust the slider. One focused in another way is changed by arrows.
 */
export interface CaretEdges {
  isAtStart: boolean
  isAtEnd: boolean
}

/** Marks a slider that arrows adjust since Enter was pressed on it, until Enter, Back or the loss of the focus. */
export const ADJUSTED = 'data-adjusted'

const NOT_AT_EDGE: CaretEdges = { isAtStart: false, isAtEnd: false }
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

/** The action of a key; undefined if the browser's default is right. */
export function remoteActionFor(
  pressed: string | Pick<KeyboardEvent, 'key' | 'keyCode'>,
  focus: FocusKind,
  caret = NOT_AT_EDGE,
): RemoteAction | undefined {
  const key = typeof pressed === 'string' ? pressed : keyName(pressed)
  const isTyping = focus === 'text' || focus === 'textarea'
  if (ARROWS.has(key)) return arrowLeaves(focus, key, caret) ? { kind: 'move', key } : undefined
  if (MEDIA.has(key)) return { kind: 'log', key }
  switch (key) {
    case 'Enter':
      return focus === 'toggle' || focus === 'range' || opensPicker(focus) ? { kind: 'activate' } : undefined
    case ' ':
      return focus === 'link' || focus === 'range' ? { kind: 'activate' } : undefined
    case 'Backspace':
      return isTyping ? undefined : { kind: 'back' }
    case 'Home':
      return isTyping || isNumeric(focus) || opensPicker(focus) ? undefined : { kind: 'home' }
    default:
      return GLOBAL_KEYS[key]
  }
}

const isNumeric = (focus: FocusKind): boolean => focus === 'range' || focus === 'number'
const opensPicker = (focus: FocusKind): boolean => focus === 'picker' || focus === 'datetime'

/** Keys with the same action wherever the focus is. */
const GLOBAL_KEYS: Record<string, RemoteAction> = {
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

/** The keys of a keyboard that work on every page, for people. */
export const REMOTE_KEYS: readonly { keys: string; label: string }[] = [
  { keys: '← ↑ → ↓', label: 'Move the focus' },
  { keys: 'Enter', label: 'Press, open or adjust' },
  { keys: 'Escape', label: 'Leave the field, close, or go back' },
  { keys: 'Backspace', label: 'Delete, or go back' },
  { keys: 'Home', label: 'Home page' },
]

/** Whether an arrow moves the focus away: inside a text, slider or date it does so only at the edge. */
function arrowLeaves(focus: FocusKind, key: string, { isAtStart, isAtEnd }: CaretEdges): boolean {
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight'
  const isAtEdge = key === 'ArrowLeft' || key === 'ArrowUp' ? isAtStart : isAtEnd
  if (focus === 'textarea') return isAtEdge
  if (focus === 'text') return !isSideways || isAtEdge
  if (isNumeric(focus)) return !isSideways || isAtEdge
  if (focus === 'datetime') return !isSideways && isAtEdge
  return !isSideways || focus !== 'picker' || isAtEdge
}

const BUTTON_TYPES = new Set(['button', 'submit', 'reset', 'image', 'file', 'color'])
const DATETIME_TYPES = new Set(['date', 'time', 'datetime-local', 'month', 'week'])

/** The kind of the focused element. */
export function focusKindOf(element: Element | null): FocusKind {
  if (element instanceof HTMLTextAreaElement) return 'textarea'
  if (element instanceof HTMLElement && element.isContentEditable) return 'textarea'
  if (element instanceof HTMLSelectElement) return 'picker'
  if (element instanceof HTMLInputElement) {
    if (element.type === 'range' || element.type === 'number') return element.type
    if (element.type === 'checkbox' || element.type === 'radio') return 'toggle'
    if (DATETIME_TYPES.has(element.type)) return 'datetime'
    return BUTTON_TYPES.has(element.type) ? 'button' : 'text'
  }
  if (element instanceof HTMLButtonElement) return 'button'
  return element instanceof HTMLAnchorElement ? 'link' : 'other'
}

/** The edges at which the caret or slider of the focused field is; none while text is selected. */
export function caretEdgesOf(element: Element | null, isReachedByArrow = false): CaretEdges {
  const passed = { isAtStart: isReachedByArrow, isAtEnd: isReachedByArrow }
  if (element instanceof HTMLSelectElement) return passed
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return NOT_AT_EDGE
  if (DATETIME_TYPES.has(element.type)) return passed
  if (element instanceof HTMLInputElement && element.type === 'range') {
    if (element.hasAttribute(ADJUSTED)) return NOT_AT_EDGE
    if (isReachedByArrow) return passed
    const { value, min, max } = element
    return { isAtStart: Number(value) <= Number(min || 0), isAtEnd: Number(value) >= Number(max || 100) }
  }
  // Email and number fields do not expose their caret; in an empty field it is at both edges.
  if (element.value === '') return { isAtStart: true, isAtEnd: true }
  const { selectionStart: from, selectionEnd: to } = element
  if (from === null || from !== to) return NOT_AT_EDGE
  return { isAtStart: from === 0, isAtEnd: from === element.value.length }
}

/**
 * Names in UI Events of keys for which a television's browser reports only a number:
 * - Samsung Tizen, "Remote Control": developer.samsung.com/smarttv/develop/guides/user-interaction/remote-control.html
 * - LG webOS, "Magic Remote": webostv.developer.lge.com/develop/guides/magic-remote
 * - HbbTV and older sets: the VK_ constants of CEA-2014-A
 */
const NAMES: Record<number, string> = {
  18: 'Menu',
  19: 'MediaPause',
  179: 'MediaPlayPause',
  227: 'MediaRewind',
  228: 'MediaFastForward',
  412: 'MediaRewind',
  413: 'MediaStop',
  415: 'MediaPlay',
  417: 'MediaFastForward',
  427: 'ChannelUp',
  428: 'ChannelDown',
  447: 'AudioVolumeUp',
  448: 'AudioVolumeDown',
  449: 'AudioVolumeMute',
  458: 'Guide',
  461: 'GoBack',
  462: 'Menu',
  10009: 'GoBack',
  10182: 'BrowserHome',
  10232: 'MediaTrackPrevious',
  10233: 'MediaTrackNext',
  10252: 'MediaPlayPause',
}

/** The name of a pressed key: the browser's, unless it is missing or an X11 name (`XF86…`). */
function keyName({ key, keyCode }: Pick<KeyboardEvent, 'key' | 'keyCode'>): string {
  const isNameless = key === '' || key === 'Unidentified' || key.startsWith('XF86')
  return isNameless ? (NAMES[keyCode] ?? key) : key
}
