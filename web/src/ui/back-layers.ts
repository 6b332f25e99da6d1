import { useEffectEvent, useLayoutEffect } from 'react'

/** How to close each open layer, from the first opened on. */
const closeFunctions: (() => void)[] = []
const listeners = new Set<() => void>()

const notify = (): void => {
  for (const listener of [...listeners]) listener()
}

/** The open dialogs, menus and drawers, which the browser's Back closes one by one (`app/page-history.ts`). */
export const backLayers = {
  count: (): number => closeFunctions.length,
  /** Closes the layers above the first `count`, the last opened first. */
  closeAbove: (count: number): void => {
    for (const close of closeFunctions.slice(count).reverse()) close()
  },
  /** Returns how to remove the listener. */
  onChange: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Lets the browser's Back close a dialog, menu or drawer while it is open, instead of leaving the page. */
export function useBackLayer(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  // Layout effects run before the layer can be seen or used.
  useLayoutEffect(() => {
    if (!isOpen) return
    const closeThis = () => close()
    closeFunctions.push(closeThis)
    notify()
    return () => {
      closeFunctions.splice(closeFunctions.indexOf(closeThis), 1)
      notify()
    }
  }, [isOpen])
}
