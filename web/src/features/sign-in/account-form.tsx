import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { Submission } from './use-submit.ts'

/**
 * The frame of every form about an account: its fields, one button that sends it, and what else can be done. While
 * it is being sent the button keeps the focus and does nothing.
 */
export function AccountForm(props: {
  submission: Submission
  button: string
  busyButton: string
  children: ReactNode
  footer?: ReactNode
  className?: string
}) {
  const { isBusy, submit, forgetProblem } = props.submission
  return (
    <form
      onSubmit={submit}
      onInput={forgetProblem}
      noValidate
      aria-busy={isBusy}
      className={classNames('grid gap-4', props.className)}
    >
      {props.children}
      <Button
        type="submit"
        tone="primary"
        aria-disabled={isBusy}
        className="mt-1 min-h-12 text-base aria-disabled:opacity-55"
      >
        {isBusy ? props.busyButton : props.button}
      </Button>
      {props.footer}
    </form>
  )
}
