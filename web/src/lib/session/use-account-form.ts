import { useRef } from 'react'
import { toast } from '../../ui/toast.ts'
import { useForm } from '../../ui/use-form.ts'
import { showSignInFailure } from '../failures.ts'
import type { Problem } from './form-rules.ts'
import { SignInError } from './sign-in-error.ts'

/** Refusals about a single field, by their codes: they are also shown beside that field. */
const FIELD_OF_CODE: Record<string, string> = {
  weak_password: 'password',
  same_password: 'password',
  user_already_exists: 'email',
  email_exists: 'email',
}

/**
 * A form that the auth service receives. A failure is shown as a toast titled `failureTitle`, unless `onFailure` handles
 * it. The next attempt removes the toast of the last one; typing removes the toast of a problem that was found here.
 */
export function useAccountForm(options: {
  check: () => Problem | undefined
  send: () => Promise<void>
  failureTitle: string
  /** Returns whether it has handled the failure. */
  onFailure?: (failure: unknown) => boolean
  /** Further refusals about a single field, by their codes. */
  fieldOfCode?: Record<string, string>
}) {
  const hideToast = useRef<() => void>(undefined)
  const hideProblem = useRef<() => void>(undefined)
  const form = useForm({
    check: () => {
      hideToast.current?.()
      hideProblem.current?.()
      const problem = options.check()
      if (problem?.title) {
        const { title, description } = problem
        hideProblem.current = toast({ title, description, tone: 'error' })
      }
      return problem
    },
    send: options.send,
    onFailure: (failure, point) => {
      if (options.onFailure?.(failure)) return
      hideToast.current = showSignInFailure(options.failureTitle, failure)
      if (!(failure instanceof SignInError)) return
      const field = { ...FIELD_OF_CODE, ...options.fieldOfCode }[failure.code]
      if (field) point({ field, description: failure.message })
    },
  })
  return {
    ...form,
    onInput: () => {
      hideProblem.current?.()
      form.onInput()
    },
  }
}
