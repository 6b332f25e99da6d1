import { useEffectEvent, useLayoutEffect } from 'react'
import { useBackLayer } from './back-layers.ts'

/** One for each open dialog; the last closes the dialog on top. */
const closeFunctions: (() => void)[] = []

/**
 * Closes the dialog on top on Escape, on a click beside it, and on the browser's Back. Radix decides which of several
 * dialogs is on top some time after they are shown or hidden: on a busy device an early Escape or click would be ignored,
 * or close the dialog below. Returns the props for Radix's overlay and content.
 */
export function useDismissal(isOpen: boolean, onClose: () => void) {
  const close = useEffectEvent(onClose)
  useBackLayer(isOpen, onClose)
  // Layout effects run before the dialog can be seen or used.
  useLayoutEffect(() => {
    if (!isOpen) return
    const closeThis = () => close()
    closeFunctions.push(closeThis)
    if (closeFunctions.length === 1) document.addEventListener('keydown', onKeyDown)
    return () => {
      closeFunctions.splice(closeFunctions.indexOf(closeThis), 1)
      if (closeFunctions.length === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [isOpen])
  return { overlay: { onClick: onClose }, content: CONTENT_PROPS }
}

/** Radix reports Escape for the dialog that it takes for the one on top, and not for one below an open menu. */
const CONTENT_PROPS = {
  onEscapeKeyDown: closeTop,
  onInteractOutside: (event: Event) => event.preventDefault(),
}

/** For the time until Radix listens. A menu or field that has handled the key has prevented its default. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key === 'Escape') closeTop(event)
}

function closeTop(event: KeyboardEvent): void {
  if (event.defaultPrevented) return
  event.preventDefault()
  closeFunctions.at(-1)?.()
}
