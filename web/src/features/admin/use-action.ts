import { useState } from 'react'
import { showFailure } from './show-failure.ts'

/** Runs actions one at a time. A failure is shown as a toast, see {@link showFailure}. */
export function useAction() {
  const [isBusy, setBusy] = useState(false)
  /** Resolves to whether the action has succeeded; false as well if another one is running. */
  const run = async (
    action: () => Promise<unknown>,
    failed: { title: string; text: string },
  ): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    try {
      await action()
      return true
    } catch (failure) {
      showFailure(failure, failed)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}
