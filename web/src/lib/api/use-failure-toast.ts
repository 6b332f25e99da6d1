import { useEffect, useEffectEvent } from 'react'
import { type Toast, toast } from '../../ui/toast.ts'

/** Time in which the same failure is shown only once, in ms: several parts of a page may load the same list. */
const SAME_FAILURE_MS = 1_000
const shownAtMs = new Map<string, number>()

/** Shows a failure as a toast when it starts, not again while it lasts. */
export function useFailureToast(title: string, error: unknown, description?: string): void {
  const hasFailed = error !== undefined
  const show = useEffectEvent(() => {
    const text = `${title} ${description ?? ''}`
    const nowMs = performance.now()
    const before = shownAtMs.get(text)
    shownAtMs.set(text, nowMs)
    if (before !== undefined && nowMs - before < SAME_FAILURE_MS) return
    const failure: Toast = { title, tone: 'error', ...(description && { description }) }
    toast(failure)
  })
  useEffect(() => {
    if (hasFailed) show()
  }, [hasFailed])
}
