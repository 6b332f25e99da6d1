import { type SubmitEvent, useRef, useState } from 'react'
import type { Problem } from '../../lib/session/form-rules.ts'
import { SignInError } from '../../lib/session/sign-in-error.ts'
import { toast } from '../../ui/toast.ts'

/** The sentence for a failure: the server's own if it refused, that of docs/product/viewer.md §8 if something broke. */
export function toastFailure(title: string, failure: unknown): () => void {
  if (failure instanceof SignInError) return toast({ title, description: failure.message, tone: 'error' })
  return toast({ title: 'Error', description: 'An unexpected error occurred', tone: 'error' })
}

/** Refusals about a single field: they are also shown next to it, and it is focused. */
const FIELD_OF_CODE: Record<string, string> = {
  weak_password: 'password',
  same_password: 'password',
  user_already_exists: 'email',
  email_exists: 'email',
}

type Form = HTMLFormElement | undefined

function focusField(form: Form, name: string): void {
  const field = form?.elements.namedItem(name)
  if (field instanceof HTMLElement) field.focus()
}

/**
 * Sends a form, one request at a time. A problem is shown beside its field, the field is focused, and nothing is sent. A
 * failure is shown as a toast titled `failureTitle`, unless `onFailure` handles it.
 */
export function useSubmit(options: {
  check: () => Problem | undefined
  send: () => Promise<void>
  failureTitle: string
  /** Answers true when nothing more needs to be said. */
  onFailure?: (failure: unknown) => boolean
  /** Further refusals that are about one field, by their codes. */
  fieldOfCode?: Record<string, string>
}) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const hideToast = useRef<() => void>(undefined)

  const point = (form: Form, found: Problem) => {
    setProblem(found)
    focusField(form, found.field)
  }
  const submit = async (event?: SubmitEvent<HTMLFormElement>) => {
    event?.preventDefault()
    const form = event?.currentTarget
    if (isBusy) return
    // What was wrong with the last attempt says nothing about this one.
    hideToast.current?.()
    const found = options.check()
    setProblem(found)
    if (found) {
      const { title, description } = found
      if (title) hideToast.current = toast({ title, description, tone: 'error' })
      return focusField(form, found.field)
    }
    setBusy(true)
    try {
      await options.send()
    } catch (failure) {
      if (options.onFailure?.(failure)) return
      hideToast.current = toastFailure(options.failureTitle, failure)
      if (!(failure instanceof SignInError)) return
      const field = { ...FIELD_OF_CODE, ...options.fieldOfCode }[failure.code]
      if (field) point(form, { field, description: failure.message })
    } finally {
      setBusy(false)
    }
  }

  return {
    isBusy,
    submit: (event?: SubmitEvent<HTMLFormElement>) => void submit(event),
    /** What ties a field to its problem. */
    field: (name: string) => ({
      name,
      error: problem?.field === name ? problem.description : undefined,
    }),
    /** Call it when something is typed: what was wrong may be right now. */
    forgetProblem: () => setProblem(undefined),
  }
}

export type Submission = Pick<ReturnType<typeof useSubmit>, 'isBusy' | 'submit' | 'forgetProblem'>
