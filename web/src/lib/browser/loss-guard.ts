import { useEffect } from 'react'

/** The parts of the page that hold something which leaving the page would lose. */
const holders = new Set<object>()

const confirmLeave = (event: BeforeUnloadEvent): void => event.preventDefault()

/**
 * While `isHeld`, this part of the page holds something that is typed or selected and stored nowhere: the back keys do not
 * leave the page, "Back to App" asks first, and the browser asks before the tab is closed.
 */
export function useLossGuard(isHeld: boolean): void {
  useEffect(() => {
    if (!isHeld) return
    const holder = {}
    holders.add(holder)
    if (holders.size === 1) window.addEventListener('beforeunload', confirmLeave)
    return () => {
      holders.delete(holder)
      if (holders.size === 0) window.removeEventListener('beforeunload', confirmLeave)
    }
  }, [isHeld])
}

/** Whether leaving the page would lose something. */
export const wouldLose = (): boolean => holders.size > 0
