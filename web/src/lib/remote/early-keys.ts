/** Maximum number of recorded keys: a key that is held down repeats. */
const MAX_KEYS = 20
/** Elements on which keys have an effect without scripts. */
const FIELDS = 'input, textarea, select, [contenteditable]'
/** Keys with which the browser itself activates or leaves the focused element. */
const NATIVE_KEYS = new Set(['Enter', ' ', 'Tab', 'Escape'])

let keys: KeyboardEvent[] = []

function record(event: KeyboardEvent): void {
  if (NATIVE_KEYS.has(event.key) || keys.length >= MAX_KEYS) return
  if (event.target instanceof Element && event.target.closest(FIELDS)) return
  keys.push(event)
}

/** Records pressed keys until the code of the remote control is loaded, which is after the first view. */
export const recordEarlyKeys = (): void => window.addEventListener('keydown', record)

/** Stops recording. Returns the recorded key presses in order, for the remote control to handle. */
export function takeEarlyKeys(): KeyboardEvent[] {
  window.removeEventListener('keydown', record)
  const taken = keys
  keys = []
  return taken
}
