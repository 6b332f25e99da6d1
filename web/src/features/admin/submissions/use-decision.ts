import type { DecideSubmissionsResult } from '@looptide/contracts/http/submissions'
import { useState } from 'react'
import { toast } from '../../../ui/toast.ts'
import { showFailure } from '../shared/show-failure.ts'

type Messages = {
  /** `count`: number of changed submissions. */
  done: (count: number) => { title: string; description: string }
  failed: { title: string; text: string }
}

/** Sends one decision at a time and shows the result as a toast. `onDecided` is called after success. */
export function useDecision(onDecided: () => void) {
  const [isBusy, setBusy] = useState(false)
  const run = async (send: () => Promise<DecideSubmissionsResult>, { done, failed }: Messages) => {
    if (isBusy) return
    setBusy(true)
    try {
      const { decided } = await send()
      if (decided.length > 0) toast({ ...done(decided.length), tone: 'success' })
      else toast({ title: 'Nothing changed', description: 'Someone else has already decided.' })
      onDecided()
    } catch (failure) {
      showFailure(failure, failed)
      setBusy(false)
    }
  }
  return {
    isBusy,
    decide: (send: () => Promise<DecideSubmissionsResult>, messages: Messages) => void run(send, messages),
  }
}
