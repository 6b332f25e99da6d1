import { type SubmitEvent, useEffect, useRef, useState } from 'react'

/** What is wrong with one field, by its name. */
export interface FieldProblem {
  field: string
  description: string
}

type Point = (problem: FieldProblem) => void

/**
 * The state of a form: submits one request at a time, shows a problem beside its field and focuses that field. Typing
 * removes the problem. If sending the form disables its button, the focus moves to the first field. Render it with `Form` and `SubmitButton`.
 *
 * Own code, because react-hook-form (12 kB gzip) is larger than the code of all our forms on the sign-in page.
 */
export function useForm(options: {
  /** The first problem of the values; nothing is sent while there is one. */
  check?: () => FieldProblem | undefined
  /** Sends the form; `point` reports a problem found while sending. */
  send: (point: Point) => Promise<void>
  /** Reports a failure of `send`; `point` shows it beside a field. Without it, `send` must not throw. */
  onFailure?: (failure: unknown, point: Point) => void
}) {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<FieldProblem>()
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!isBusy) keepFocus(element.current)
  }, [isBusy])

  const point = (found: FieldProblem) => {
    setProblem(found)
    const field = element.current?.elements.namedItem(found.field)
    if (field instanceof HTMLElement) field.focus()
  }
  const submit = async () => {
    if (isBusy) return
    const found = options.check?.()
    setProblem(undefined)
    if (found) return point(found)
    setBusy(true)
    try {
      await options.send(point)
    } catch (failure) {
      if (!options.onFailure) throw failure
      options.onFailure(failure, point)
    } finally {
      setBusy(false)
    }
  }

  return {
    isBusy,
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      // A dialog inside another form bubbles its events to that form, through the component tree.
      event.stopPropagation()
      element.current = event.currentTarget
      void submit()
    },
    onInput: () => setProblem(undefined),
    /** The name and error of a field. */
    field: (name: string) => ({
      name,
      error: problem?.field === name ? problem.description : undefined,
    }),
  }
}

/** Focuses the first field of a sent form whose button has just been disabled. */
function keepFocus(form: HTMLFormElement | null): void {
  const button = form?.querySelector('[type="submit"]:is(:disabled, [aria-disabled="true"])')
  const focused = document.activeElement
  if (button && (focused === button || focused === document.body)) {
    form?.querySelector<HTMLElement>('input, select, textarea')?.focus()
  }
}

export type FormState = ReturnType<typeof useForm>
