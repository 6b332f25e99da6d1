import { type SubmitEvent, useState } from 'react'
import { SignInError } from '../../lib/auth-client.ts'
import { toast } from '../../ui/toast.ts'
import type { Problem } from './form-rules.ts'

/** The sentence for a failure: the server's own if it refused, the specification's if something broke. */
export function toastFailure(title: string, failure: unknown): void {
  if (failure instanceof SignInError) toast({ title, description: failure.message, tone: 'error' })
  else toast({ title: 'Error', description: 'An unexpected error occurred', tone: 'error' })
}

/**
 * Sends a form once at a time: a problem is told and nothing sent, a failure is told under `failureTitle`.
 */
export function useSubmit(options: {
  check: () => Problem | undefined
  send: () => Promise<void>
  failureTitle: string
}) {
  const [isBusy, setBusy] = useState(false)

  const submit = async (event?: SubmitEvent) => {
    event?.preventDefault()
    if (isBusy) return
    const problem = options.check()
    if (problem) return toast({ ...problem, tone: 'error' })
    setBusy(true)
    try {
      await options.send()
    } catch (failure) {
      toastFailure(options.failureTitle, failure)
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, submit: (event?: SubmitEvent) => void submit(event) }
}
