import { useEffect } from 'react'
import { afterLoad } from './after-load.ts'

/** Fetches the code of a part after the page has loaded, so that the part opens without a network. */
export function usePreload(load: () => Promise<unknown>): void {
  // After a failure the code is fetched again when the part is opened.
  useEffect(() => afterLoad(() => void load().catch(() => undefined)), [load])
}
