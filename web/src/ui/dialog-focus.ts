import type { RefObject } from 'react'

/** The element that was focused when a dialog opened, by dialog, until it has closed. */
const openers = new Map<EventTarget, Element>()

/**
 * The focused element or, if the dialog with the focus was just replaced by another one, the element that opened it.
 */
function openerNow(): Element | null {
  const focused = document.activeElement
  if (focused !== document.body) return focused
  const replaced = [...openers].findLast(([dialog]) => dialog instanceof Element && !dialog.isConnected)
  return replaced?.[1] ?? focused
}

const FIELDS =
  'input:not([type="hidden"], [tabindex="-1"], :disabled), select:not(:disabled), textarea:not(:disabled)'
const CONTROLS = 'a[href], button:not(:disabled, [tabindex="-1"]), summary, [tabindex="0"]'

/**
 * The element focused when a dialog opens: its first field (of a group of radio buttons the checked one), else its first
 * control below the title bar. Undefined for a dialog with only a close button.
 */
function firstInside(dialog: Element): HTMLElement | undefined {
  const inside = (selector: string) =>
    [...dialog.querySelectorAll<HTMLElement>(selector)].filter(
      (element) => element.checkVisibility() && element.closest('header') === null,
    )
  const [field] = inside(FIELDS)
  if (!isRadio(field)) return field ?? inside(CONTROLS)[0]
  return inside(FIELDS).find((one) => isRadio(one) && one.name === field.name && one.checked) ?? field
}

const isRadio = (element: HTMLElement | undefined): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.type === 'radio'

/**
 * Focuses {@link firstInside} of a dialog that has only a close button until its content is loaded, unless something has
 * been pressed or focused before.
 */
function focusOnceLoaded(dialog: Element): void {
  const stop = () => {
    observer.disconnect()
    for (const event of TOUCHES) dialog.removeEventListener(event, stop, true)
  }
  const observer = new MutationObserver(() => {
    const first = firstInside(dialog)
    if (!first) return
    stop()
    first.focus()
  })
  // After the focus that Radix sets now.
  setTimeout(() => {
    observer.observe(dialog, { childList: true, subtree: true })
    for (const event of TOUCHES) dialog.addEventListener(event, stop, true)
  })
}

const TOUCHES = ['focusin', 'keydown', 'pointerdown']

/**
 * Radix props for the focus when a dialog opens and closes. Radix returns the focus only to its own trigger, and our
 * dialogs are opened from anywhere. Without `initial`, {@link firstInside} is focused, as soon as there is one; without
 * `onClosed`, the element focused before.
 */
export function dialogFocus(initial?: RefObject<HTMLElement | null>, onClosed?: () => void) {
  return {
    onOpenAutoFocus: (event: Event) => {
      const opener = openerNow()
      if (event.target && opener) openers.set(event.target, opener)
      const dialog = event.target instanceof Element ? event.target : undefined
      const first = initial?.current ?? (dialog && firstInside(dialog))
      if (first) {
        event.preventDefault()
        first.focus()
      } else if (dialog) focusOnceLoaded(dialog)
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const opener = event.target && openers.get(event.target)
      if (event.target) openers.delete(event.target)
      if (onClosed) onClosed()
      else if (opener instanceof HTMLElement) opener.focus()
    },
  }
}
