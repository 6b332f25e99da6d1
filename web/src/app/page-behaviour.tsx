import { useRemoteControl } from './remote-control.ts'
import { usePageFocus } from './use-page-focus.ts'
import { useScrollMemory } from './use-scroll-memory.ts'

/** Remote control, focus and scroll position for every page. Renders nothing. */
export function PageBehaviour() {
  useRemoteControl()
  usePageFocus()
  useScrollMemory()
  return null
}
