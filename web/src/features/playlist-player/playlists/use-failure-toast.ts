import { useEffect, useEffectEvent } from 'react'
import { toast } from '../../../ui/toast.ts'

/** Tells a failure when it comes, not again while it lasts. */
export function useFailureToast(title: string, error: unknown): void {
  const hasFailed = error !== undefined
  const tell = useEffectEvent(() => toast({ title, tone: 'error' }))
  useEffect(() => {
    if (hasFailed) tell()
  }, [hasFailed])
}
