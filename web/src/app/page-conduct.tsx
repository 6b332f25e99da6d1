import { useRemoteControl } from './remote-control.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

/** How every page answers keys, and where its focus and its scroll position are when one comes to it. Draws nothing. */
export function PageConduct() {
  useRemoteControl()
  usePageFocus()
  useScrollMemory()
  return null
}
