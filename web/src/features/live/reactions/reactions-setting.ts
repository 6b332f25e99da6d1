import { createStore } from '../player/live-state.ts'

const STORAGE_KEY = 'looptide-reactions'

function load(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

/** Whether the live page shows reactions in this browser. */
export const reactionsShown = createStore(load())

/** Shows or hides the reactions in this browser, from now on. */
export function showReactions(isShown: boolean): void {
  reactionsShown.set(isShown)
  try {
    if (isShown) localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, 'off')
  } catch {
    // Without storage the choice ends with the visit.
  }
}
